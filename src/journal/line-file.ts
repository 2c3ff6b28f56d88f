/**
 * A file that grows by whole lines. Each line is one write to a descriptor opened with O_APPEND, done when `append` returns.
 *
 * What can be lost: with kill -9 of this process, nothing that was acknowledged (the bytes are the system's by then), and at most a part of the
 * line being written stays behind. With a power cut or a crash of the system, what it had not yet put on the disk: usually the last
 * 5 to 30 seconds. fsync on every line would close that gap for milliseconds a line; it is done once, in `close`.
 */
import { closeSync, fdatasync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { WaymarkError } from '../errors/index.ts';
import { errnoOf, writeFailed } from './journal-error.ts';

const sync = promisify(fdatasync);

export class LineFile {
  readonly file: string;
  #fd: number | undefined;
  #size: number;
  #failure: WaymarkError | undefined;

  /** Takes over the descriptor. `size` is where the last whole line ends. */
  constructor(file: string, fd: number, size: number) {
    this.file = file;
    this.#fd = fd;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Throws where the file can't take lines any more, before anything is made for it. */
  check(): number {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#fd === undefined) {
      throw new WaymarkError({ code: 'journal_closed', message: `The journal ${this.file} is closed.` });
    }
    return this.#fd;
  }

  /** The line, with its newline. After a failure the file ends with its last whole line, and all that follows fails the same way. */
  append(line: Buffer): void {
    const fd = this.check();
    try {
      this.#isOurs(fd);
      let written = 0;
      // A short write is not the error yet; the next one says which it is.
      while (written < line.length) {
        const more = writeSync(fd, line, written, line.length - written);
        if (more === 0) throw new Error('nothing more is taken');
        written += more;
      }
      this.#size += line.length;
    } catch (error) {
      throw this.#fail(fd, error);
    }
  }

  async close(): Promise<void> {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    try {
      // Network disks tell only here that they are full. A file that can't be synced (a pipe, a device) has nothing to lose.
      await sync(fd);
    } catch (error) {
      if (this.#failure === undefined && errnoOf(error) !== 'EINVAL') {
        this.#failure = writeFailed(this.file, error, 'Its last events may be missing.');
        throw this.#failure;
      }
    } finally {
      closeSync(fd);
    }
  }

  /** Two writers would mix their lines, and a removed file would take ours into nothing. */
  #isOurs(fd: number): void {
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) throw new Error('it was removed');
    if (size !== this.#size) throw new ForeignWrite(size, this.#size);
  }

  #fail(fd: number, cause: unknown): WaymarkError {
    // What somebody else wrote is not ours to cut.
    const note = cause instanceof ForeignWrite ? '' : this.#cutBack(fd);
    this.#failure = writeFailed(this.file, cause, note);
    return this.#failure;
  }

  #cutBack(fd: number): string {
    try {
      ftruncateSync(fd, this.#size);
      return 'What was written before is whole.';
    } catch {
      // The write that failed is the error that is reported; this only changes what is said about the file.
      return 'What was written before is whole, but a torn last line may follow it.';
    }
  }
}

class ForeignWrite extends Error {
  constructor(found: number, expected: number) {
    super(`something else writes to it (it has ${found} bytes, not ${expected})`);
  }
}
