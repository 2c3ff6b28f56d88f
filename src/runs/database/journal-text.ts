/**
 * The text of a journal that grows: in memory while it fits into the attempt's row, and on the disk from then on, so that a long attempt takes
 * no more memory than a short one.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Spool } from '../../journal/index.ts';

/** In bytes. A longer journal is an artifact: a row that holds it would be slow to read and to back up. */
export const LONGEST_IN_ROW = 64 * 1024;

export class JournalText implements Disposable {
  #text = '';
  #bytes = 0;
  #spool: Spool | undefined;

  /** Without its newline. */
  add(line: string): void {
    const text = `${line}\n`;
    this.#bytes += Buffer.byteLength(text);
    if (this.#spool) return this.#spool.add(text);
    this.#text += text;
    if (this.#bytes <= LONGEST_IN_ROW) return;
    this.#spool = new Spool(path.join(tmpdir(), `waymark-journal-${randomUUID()}.jsonl`));
    this.#spool.add(this.#text);
    this.#text = '';
  }

  /** The whole of it: as text where it fits into a row, otherwise piece by piece. */
  get content(): string | Iterable<Uint8Array> {
    return this.#spool ? this.#spool.pieces() : this.#text;
  }

  /** Whole lines from a position in bytes, a few at a time; after each group, the position that the next one begins at. */
  *linesFrom(from: number): Generator<{ lines: string[]; next: number }, void, undefined> {
    let next = from;
    let rest: Uint8Array = new Uint8Array();
    for (const piece of this.#spool?.pieces(from) ?? [Buffer.from(this.#text).subarray(from)]) {
      const bytes = Buffer.concat([rest, piece]);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(end);
      if (end === 0) continue;
      next += end;
      yield { lines: bytes.toString('utf8', 0, end - 1).split('\n'), next };
    }
  }

  [Symbol.dispose](): void {
    this.#spool?.[Symbol.dispose]();
  }
}
