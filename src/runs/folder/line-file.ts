/** A file that grows by whole lines. A kill or a full disk may leave a torn last line: it was never acknowledged, is skipped by readers, and is cut off before the next append. */
import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { fileNotWritten, writeWhole } from '../../journal/index.ts';

/** The whole lines of a file, without their newlines; none where there is no file. */
export function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

export class LineFile implements Disposable {
  readonly #file: string;
  #fd: number | undefined;
  /** Bytes of whole lines. */
  #size = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whole lines, each with its newline. They are the system's when this returns: a kill of the process loses none. */
  append(lines: string): void {
    const bytes = Buffer.from(lines);
    try {
      this.#fd ??= this.#open();
      try {
        writeWhole(this.#fd, bytes);
      } catch (error) {
        ftruncateSync(this.#fd, this.#size);
        throw error;
      }
      this.#size += bytes.length;
    } catch (cause) {
      throw fileNotWritten(this.#file, cause);
    }
  }

  /** The lines are on the disk when this returns. */
  sync(): void {
    try {
      if (this.#fd !== undefined) fdatasyncSync(this.#fd);
    } catch (cause) {
      throw fileNotWritten(this.#file, cause);
    }
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    const fd = openSync(this.#file, 'a');
    this.#size = readFileSync(this.#file).lastIndexOf(0x0a) + 1;
    ftruncateSync(fd, this.#size);
    return fd;
  }
}
