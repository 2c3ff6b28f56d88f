/**
 * A text that grows on the disk because it may be too long for memory: a report's list, while its summary is still counted; a long journal,
 * until it is stored. The file loses its name at once, so that a killed process leaves nothing behind.
 */
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { fileNotWritten } from './journal-error.ts';
import { writeWhole } from './put-file.ts';

const BLOCK = 256 * 1024;

export class Spool implements Disposable {
  readonly #file: string;
  readonly #fd: number;
  #held: Buffer[] = [];
  #bytes = 0;
  #size = 0;

  constructor(file: string) {
    this.#file = file;
    try {
      this.#fd = openSync(file, 'w+', 0o600);
      rmSync(file);
    } catch (cause) {
      throw fileNotWritten(file, cause);
    }
  }

  get isEmpty(): boolean {
    return this.#size + this.#bytes === 0;
  }

  add(piece: string | Buffer): void {
    // A copy: the caller's buffer may be used again.
    const bytes = Buffer.from(piece);
    this.#held.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= BLOCK) this.#write();
  }

  /** From a position in bytes. */
  *pieces(from = 0): Generator<Buffer, void, undefined> {
    this.#write();
    for (let at = from; at < this.#size; ) {
      const block = Buffer.allocUnsafe(Math.min(BLOCK, this.#size - at));
      const read = readSync(this.#fd, block, 0, block.length, at);
      yield block.subarray(0, read);
      at += read;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #write(): void {
    try {
      writeWhole(this.#fd, Buffer.concat(this.#held));
    } catch (cause) {
      throw fileNotWritten(this.#file, cause);
    }
    this.#size += this.#bytes;
    this.#held = [];
    this.#bytes = 0;
  }
}
