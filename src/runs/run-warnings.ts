/** The warnings of a run, each once, with the tasks that it is about. */
import type { EpisodeResult } from '../events/index.ts';

export interface RunWarning {
  /** `source: message` */
  text: string;
  taskIds: string[];
}

export function runWarnings(results: readonly Pick<EpisodeResult, 'taskId' | 'warnings'>[]): RunWarning[] {
  const tasks = new Map<string, Set<string>>();
  for (const { taskId, warnings } of results)
    for (const text of warnings) tasks.set(text, (tasks.get(text) ?? new Set()).add(taskId));
  return [...tasks].map(([text, ids]) => ({ text, taskIds: [...ids] }));
}
