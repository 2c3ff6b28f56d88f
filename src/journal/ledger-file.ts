/** The trajectory ledger's file: attempts become nodes, within the ledger's limits and without secrets. */
import {
  type Attempt,
  appendAttempt,
  EMPTY_LEDGER,
  type LedgerLimits,
  type LedgerState,
  type RedactOptions,
  type TrajectoryNode,
} from '../reward/index.ts';
import { SideFile } from './side-file.ts';

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
  readonly #options: LedgerFileOptions;
  readonly #file: SideFile;
  #state: LedgerState = EMPTY_LEDGER;

  constructor(file: string, options: LedgerFileOptions = {}) {
    this.#options = options;
    this.#file = new SideFile(file, { what: 'ledger', onWarning: options.onWarning });
  }

  get state(): LedgerState {
    return this.#state;
  }

  /** Never throws and never blocks. */
  add(attempt: Attempt): TrajectoryNode {
    const { state, node, line } = appendAttempt(this.#state, attempt, this.#options);
    this.#state = state;
    if (line !== undefined) this.#file.add(line);
    return node;
  }

  /** Resolves when everything added so far is written or given up. Never rejects. */
  async flush(): Promise<void> {
    await this.#file.flush();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
