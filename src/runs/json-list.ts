/** A JSON document whose last field is a long list: its entries are written as they come, and the fields before them at the end. */
import { Spool } from '../journal/index.ts';

export class JsonList implements Disposable {
  readonly #spool: Spool;

  constructor(file: string) {
    this.#spool = new Spool(file);
  }

  add(entry: unknown): void {
    const text = JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ');
    this.#spool.add(`${this.#spool.isEmpty ? '\n' : ',\n'}    ${text}`);
  }

  /** The same bytes as `JSON.stringify({ ...head, [name]: entries }, null, 2)` with a newline. */
  *pieces(head: object, name: string): Generator<string | Buffer, void, undefined> {
    const start = JSON.stringify({ ...head, [name]: [] }, null, 2);
    yield start.slice(0, -']\n}'.length);
    yield* this.#spool.pieces();
    yield this.#spool.isEmpty ? ']\n}\n' : '\n  ]\n}\n';
  }

  [Symbol.dispose](): void {
    this.#spool[Symbol.dispose]();
  }
}
