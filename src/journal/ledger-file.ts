/**
 * The trajectory ledger's file. Best effort: lines wait in memory (the ledger's limits keep them few) and are written
 * asynchronously. The first error is reported once, and the episode continues.
 */
import { type FileHandle, open } from 'node:fs/promises';
import {
  type Attempt,
  appendAttempt,
  EMPTY_LEDGER,
  type LedgerLimits,
  type LedgerState,
  type RedactOptions,
  type TrajectoryNode,
} from '../reward/index.ts';
import { reasonOf } from './journal-error.ts';

export interface LedgerFileOptions extends RedactOptions {
  limits?: LedgerLimits | undefined;
  /** Called at most once. */
  onWarning?: ((message: string) => void) | undefined;
}

/**
 * @example
 * await using ledger = new LedgerFile('ledger.jsonl', { onWarning: (message) => journal.append({ type: 'warning', source: 'ledger', message }) });
 * const { id } = ledger.add({ tool: 'interact', arguments: { ref: 'e3' }, status: 'success' });
 */
export class LedgerFile implements AsyncDisposable {
  readonly file: string;
  readonly #options: LedgerFileOptions;
  #state: LedgerState = EMPTY_LEDGER;
  #queue: string[] = [];
  #writing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  /** Bytes of complete lines in the file. */
  #size = 0;
  /** Closed, or given up after an error. */
  #done = false;

  constructor(file: string, options: LedgerFileOptions = {}) {
    this.file = file;
    this.#options = options;
  }

  get state(): LedgerState {
    return this.#state;
  }

  /** Never throws and never blocks. */
  add(attempt: Attempt): TrajectoryNode {
    const { state, node, line } = appendAttempt(this.#state, attempt, this.#options);
    this.#state = state;
    if (line !== undefined && !this.#done) {
      this.#queue.push(line);
      this.#writing ??= this.#drain();
    }
    return node;
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
      // Exclusive, like the journal: an earlier attempt's ledger must not be continued.
      this.#handle ??= await open(this.file, 'ax', 0o644);
      while (this.#queue.length > 0) {
        const lines = Buffer.from(this.#queue.splice(0).join(''));
        await this.#handle.appendFile(lines);
        this.#size += lines.length;
      }
    } catch (error) {
      this.#done = true;
      this.#queue = [];
      // The first error is the one to report; a torn last line is left to the reader of the ledger.
      await this.#handle?.truncate(this.#size).catch(() => {});
      this.#warn(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #warn(error: unknown): void {
    try {
      this.#options.onWarning?.(`The ledger ${this.file} could not be written: ${reasonOf(error)}.`);
    } catch {
      // A listener's fault is not the episode's.
    }
  }
}
