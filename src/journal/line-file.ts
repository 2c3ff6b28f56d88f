/**
 * A file that grows by complete lines. Each line is one write to a descriptor opened with O_APPEND, finished when `append` returns.
 *
 * What can be lost: with kill -9 of this process, nothing that was acknowledged (the operating system has the bytes by then); at most a part
 * of the line being written remains. With a power cut or a system crash, what was not yet on the disk: usually the last
 * 5 to 30 seconds. An fsync per line would avoid that and cost milliseconds per line; it is done once, in `close`.
 */
import { closeSync, fdatasync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { WaymarkError } from '../errors/index.ts';
import { errnoOf, writeFailed } from './journal-error.ts';

const sync = promisify(fdatasync);

export class LineFile {
  readonly file: string;
  readonly #flush: (fd: number) => Promise<void>;
  #fd: number | undefined;
  #size: number;
  #failure: WaymarkError | undefined;

  /** Takes ownership of the descriptor. `size` is the end of the last complete line. `flush`: what puts it on the disk, at the end. */
  constructor(file: string, fd: number, size: number, flush: (fd: number) => Promise<void> = sync) {
    this.#flush = flush;
    this.file = file;
    this.#fd = fd;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Throws if the file cannot accept lines any more. Called before an event is serialized. */
  check(): number {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#fd === undefined) {
      throw new WaymarkError({ code: 'journal_closed', message: `The journal ${this.file} is closed.` });
    }
    return this.#fd;
  }

  /** Appends a line with its newline. After a failure the file ends with its last complete line, and every later call fails the same way. */
  append(line: Buffer): void {
    const fd = this.check();
    try {
      this.#isOurs(fd);
      let written = 0;
      // A short write is not an error yet; the next write reports the cause.
      while (written < line.length) {
        const more = writeSync(fd, line, written, line.length - written);
        if (more === 0) throw new Error('no more bytes are accepted');
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
      // Network disks report only here that they are full. A file that cannot be synced (a pipe, a device) has nothing to lose.
      await this.#flush(fd);
    } catch (error) {
      if (this.#failure === undefined && errnoOf(error) !== 'EINVAL') {
        this.#failure = writeFailed(this.file, error, 'Its last events may be missing.');
        throw this.#failure;
      }
    } finally {
      closeSync(fd);
    }
  }

  /** Detects a second writer, whose lines would be mixed in, and a removed file, whose lines would be lost. */
  #isOurs(fd: number): void {
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) throw new Error('it was removed');
    if (size !== this.#size) throw new ForeignWrite(size, this.#size);
  }

  #fail(fd: number, cause: unknown): WaymarkError {
    // The bytes of another writer must not be cut off.
    const note = cause instanceof ForeignWrite ? '' : this.#cutBack(fd);
    this.#failure = writeFailed(this.file, cause, note);
    return this.#failure;
  }

  #cutBack(fd: number): string {
    try {
      ftruncateSync(fd, this.#size);
      return 'What was written before is complete.';
    } catch {
      // The write that failed is the error that is reported; this only changes what is said about the file.
      return 'What was written before is complete, but an incomplete last line may follow it.';
    }
  }
}

class ForeignWrite extends Error {
  constructor(found: number, expected: number) {
    super(`another process writes to it (it has ${found} bytes, not ${expected})`);
  }
}
