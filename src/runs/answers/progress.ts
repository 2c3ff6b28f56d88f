/** Tells how far a run is, at most so often: one line per second helps a reader, one per item does not. */
import type { RunLogLine } from '../../store/index.ts';
import type { RunProgress } from '../execution.ts';
import type { ItemCounts } from './item-counts.ts';

/** Errors that get a line of their own; all of them stand with their items. */
const ERROR_LINES = 20;
/** Different warnings that get a line. Most calls of a run give the same; all of them are in the journals. */
const WARNING_LINES = 20;

export interface ProgressOptions {
  counts: ItemCounts;
  everyMs: number;
  /** Milliseconds that only go forward. */
  now: () => number;
  tell: (counts: ItemCounts, lines: readonly RunLogLine[]) => Promise<void>;
}

export type EndedItem = Pick<RunProgress, 'attempt' | 'status' | 'reason' | 'code' | 'warnings'>;

export class Progress {
  readonly #options: ProgressOptions;
  readonly #counts: ItemCounts;
  #lines: RunLogLine[] = [];
  #errors = 0;
  readonly #warnings = new Set<string>();
  #last: number;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#counts = { ...options.counts };
    this.#last = options.now();
  }

  async item({ attempt, status, reason, code, warnings = [] }: EndedItem): Promise<void> {
    // Stopped with the run: it waits to be asked again.
    if (status !== 'answered' && status !== 'error') return;
    this.#counts.pending -= 1;
    this.#counts[status === 'answered' ? 'answered' : 'errored'] += 1;
    if (code !== undefined) this.#addError(attempt.caseId, code, reason);
    for (const warning of warnings) this.#addWarning(warning);
    const { now, everyMs } = this.#options;
    if (now() - this.#last < everyMs) return;
    this.#last = now();
    const { answered, errored, expected } = this.#counts;
    await this.#tell({
      level: 'info',
      code: 'run_progress',
      message: `${answered} of ${expected} items answered${errored > 0 ? `, ${errored} with errors` : ''}.`,
      data: { ...this.#counts },
    });
  }

  /** What is left to say. */
  async flush(): Promise<void> {
    if (this.#lines.length > 0) await this.#tell();
  }

  async #tell(...more: RunLogLine[]): Promise<void> {
    const lines = [...this.#lines, ...more];
    this.#lines = [];
    await this.#options.tell({ ...this.#counts }, lines);
  }

  #addWarning(message: string): void {
    if (this.#warnings.has(message) || this.#warnings.size >= WARNING_LINES) return;
    this.#warnings.add(message);
    this.#lines.push({ level: 'warning', code: 'model_warning', message });
  }

  #addError(id: string, code: string, message: string): void {
    this.#errors += 1;
    if (this.#errors > ERROR_LINES + 1) return;
    this.#lines.push(
      this.#errors > ERROR_LINES
        ? { level: 'warning', code: 'more_item_errors', message: 'Further errors stand with their items only.' }
        : { level: 'warning', code: 'item_error', message: `${id}: ${message}`, data: { item_id: id, code } },
    );
  }
}
