/** The warnings of a run, each once, with the tasks that it is about. */
import type { EpisodeResult } from '../events/index.ts';

/** Different warnings that are kept: one that names something else in every attempt must not fill the memory. */
const KEPT = 1_000;

export interface RunWarning {
  /** `source: message` */
  text: string;
  taskIds: string[];
}

export class WarningFold {
  readonly #tasks = new Map<string, Set<string>>();

  add({ taskId, warnings }: Pick<EpisodeResult, 'taskId' | 'warnings'>): void {
    for (const text of warnings) {
      const tasks = this.#tasks.get(text);
      if (tasks) tasks.add(taskId);
      else if (this.#tasks.size < KEPT) this.#tasks.set(text, new Set([taskId]));
    }
  }

  list(): RunWarning[] {
    return [...this.#tasks].map(([text, ids]) => ({ text, taskIds: [...ids] }));
  }
}
