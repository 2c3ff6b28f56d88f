/** The warnings of a run, each once, with the tasks that it is about. */
import type { EpisodeResult, JournalEvent } from '../events/index.ts';

/** Different warnings that are kept: one that names something else in every attempt must not fill the memory. */
const KEPT = 1_000;

export interface RunWarning {
  /** `source: message` */
  text: string;
  taskIds: string[];
}

export class WarningFold {
  readonly #tasks = new Map<string, Set<string>>();
  readonly #looks = { all: 0, lost: 0 };
  readonly #pictures = { all: 0, lost: 0 };
  readonly #losing = new Set<string>();

  add({ taskId, warnings }: Pick<EpisodeResult, 'taskId' | 'warnings'>): void {
    for (const text of warnings) {
      const tasks = this.#tasks.get(text);
      if (tasks) tasks.add(taskId);
      else if (this.#tasks.size < KEPT) this.#tasks.set(text, new Set([taskId]));
    }
  }

  /** Counts the looks and pictures of an attempt, and those that got no answer in time: a page may hang, and a busy machine loses them too. */
  addLooks(taskId: string, events: readonly JournalEvent[]): void {
    for (const event of events) {
      if (event.type !== 'evidence' && event.type !== 'screenshot') continue;
      const [counts, isLost] =
        event.type === 'evidence'
          ? [this.#looks, event.page === 'unresponsive']
          : [this.#pictures, event.timedOut === true];
      counts.all++;
      if (!isLost) continue;
      counts.lost++;
      this.#losing.add(taskId);
    }
  }

  list(): RunWarning[] {
    const warnings = [...this.#tasks].map(([text, ids]) => ({ text, taskIds: [...ids] }));
    if (this.#losing.size === 0) return warnings;
    const counts = `${this.#looks.lost} of ${this.#looks.all} looks and ${this.#pictures.lost} of ${this.#pictures.all} pictures`;
    const text = `harness: ${counts} got no answer in time: a page hung, or the machine was too busy for this many attempts at once`;
    return [{ text, taskIds: [...this.#losing] }, ...warnings];
  }
}
