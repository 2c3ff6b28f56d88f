/** A row of Waymark's own JSONL: a task as it is. */
import type { ImportOptions } from '../rows/import-options.ts';
import type { ImportedRow } from '../rows/imported-row.ts';
import { type EpisodeTaskSpec, parseTask } from '../tasks/task.ts';

export function importOwnRow(given: unknown, _options: ImportOptions): ImportedRow {
  const parsed = parseTask(given);
  if (!parsed.ok)
    return { result: 'invalid', reason: parsed.problems.map(({ path, message }) => `${path}: ${message}`).join(' ') };
  const beside = filesOf(parsed.task);
  if (beside.length > 0)
    return {
      result: 'invalid',
      reason: `It names files that a row cannot bring (${beside.join(', ')}). Copy the folder of the tasks instead.`,
    };
  return { result: 'task', task: parsed.task, notes: [] };
}

/** Paths that are relative to the file of the task. */
function filesOf({ oracle, network, graders = [] }: EpisodeTaskSpec): string[] {
  return [
    ...(oracle === undefined ? [] : ['oracle']),
    ...(network?.mode === 'replay' ? ['network.recording'] : []),
    ...graders.flatMap(({ grader }, index) =>
      grader === 'command' || grader === 'module'
        ? [`graders[${index}].${grader === 'command' ? 'command' : 'file'}`]
        : [],
    ),
  ];
}
