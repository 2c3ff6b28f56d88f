/**
 * A file beside a journal that grows by lines and can be made again from the journal. Best effort: lines wait in memory and are written
 * asynchronously. The first error is reported once, and the episode continues.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { reasonOf } from './journal-error.ts';

export interface SideFileOptions {
  /** What the file is, for the warning: `ledger`, `message trace`. */
  what: string;
  /** Called at most once. */
  onWarning?: ((message: string) => void) | undefined;
}

/**
 * @example
 * await using messages = new SideFile('messages.jsonl', { what: 'message trace', onWarning: (message) => console.warn(message) });
 * messages.add('{"type":"user","content":"Send the form."}\n');
 */
export class SideFile implements AsyncDisposable {
  readonly file: string;
  readonly #options: SideFileOptions;
  #queue: string[] = [];
  #writing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  /** Bytes of complete lines in the file. */
  #size = 0;
  /** Closed, or given up after an error. */
  #done = false;

  constructor(file: string, options: SideFileOptions) {
    this.file = file;
    this.#options = options;
  }

  /** Whole lines, each with its newline. Never throws and never blocks. */
  add(lines: string): void {
    if (this.#done) return;
    this.#queue.push(lines);
    this.#writing ??= this.#drain();
  }

  /** Resolves when everything added so far is written or given up. Never rejects. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    const handle = this.#handle;
    this.#handle = undefined;
    this.#done = true;
    await handle?.close().catch((error: unknown) => this.#warn(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #drain(): Promise<void> {
    try {
      // Exclusive, like the journal: an earlier attempt's file must not be continued.
      this.#handle ??= await open(this.file, 'ax', 0o644);
      while (this.#queue.length > 0) {
        const lines = Buffer.from(this.#queue.splice(0).join(''));
        await this.#handle.appendFile(lines);
        this.#size += lines.length;
      }
    } catch (error) {
      this.#done = true;
      this.#queue = [];
      // The first error is the one to report; a torn last line is left to the reader of the file.
      await this.#handle?.truncate(this.#size).catch(() => {});
      this.#warn(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #warn(error: unknown): void {
    try {
      this.#options.onWarning?.(`The ${this.#options.what} ${this.file} could not be written: ${reasonOf(error)}.`);
    } catch {
      // A listener's fault is not the episode's.
    }
  }
}
