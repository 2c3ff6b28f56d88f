/** How often each task has passed: for the list of those that never do, and for those that are counted apart. */
import type { EpisodeResult } from '../events/index.ts';
import type { PlannedCell } from './run-coverage.ts';

export interface QuarantinedTask {
  taskId: string;
  reason: string;
  /** A date. */
  until: string;
  /** The attempts that count, and those of them that passed. */
  finished: number;
  passed: number;
}

/** Tasks that a list names; a run of a hundred thousand that all fail has another problem. */
const LISTED = 1_000;

export class TaskPasses {
  readonly #counts = new Map<string, { finished: number; passed: number }>();

  add({ taskId, success, interrupted }: Pick<EpisodeResult, 'taskId' | 'success' | 'interrupted'>): void {
    if (interrupted) return;
    const counts = this.#counts.get(taskId) ?? { finished: 0, passed: 0 };
    this.#counts.set(taskId, { finished: counts.finished + 1, passed: counts.passed + (success ? 1 : 0) });
  }

  /** Those that finished more than once: one failure is listed as such. */
  never(): string[] {
    const never = [...this.#counts].filter(([, { finished, passed }]) => finished > 1 && passed === 0);
    return never.map(([id]) => id).slice(0, LISTED);
  }

  quarantined(cells: readonly PlannedCell[]): QuarantinedTask[] {
    const known = new Map(cells.flatMap(({ caseId, quarantine }) => (quarantine ? [[caseId, quarantine]] : [])));
    return [...known].map(([taskId, { reason, until }]) => ({
      ...{ taskId, reason, until },
      ...(this.#counts.get(taskId) ?? { finished: 0, passed: 0 }),
    }));
  }
}

/** By the day on which the run was made: a report that is made again says the same. */
export function isExpired({ until }: { until: string }, createdAt: number): boolean {
  return until < new Date(createdAt).toISOString().slice(0, 10);
}
