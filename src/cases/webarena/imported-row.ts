/** What becomes of one row of a benchmark: a task, or the reason why there is none. */
import { parseTask, type TaskInput } from '../tasks/task.ts';

export type ImportedRow =
  | {
      readonly result: 'task';
      readonly task: TaskInput;
      /** Where the verdict may differ from the benchmark's own. */
      readonly notes: readonly string[];
    }
  /** The row is right, and its rules can't be stated here: it needs a model, a helper in Python, or code that runs in the page. */
  | { readonly result: 'not_portable'; readonly id: string; readonly reason: string }
  /** The row is not what the format says. */
  | { readonly result: 'invalid'; readonly reason: string };

/** Thrown inside an import, where a rule of the row has no counterpart. The message is a sentence. */
export class NotPortable extends Error {
  override readonly name = 'NotPortable';
}

/** Nothing is written that `waymark run` would refuse. */
export function checkedTask(id: string, make: () => { task: TaskInput; notes: readonly string[] }): ImportedRow {
  try {
    const { task, notes } = make();
    const parsed = parseTask(task);
    if (parsed.ok) return { result: 'task', task, notes };
    const reason = parsed.problems.map(({ path, message }) => `${path}: ${message}`).join(' ');
    return { result: 'invalid', reason: `The task that it makes can't be used. ${reason}` };
  } catch (thrown) {
    if (thrown instanceof NotPortable) return { result: 'not_portable', id, reason: thrown.message };
    throw thrown;
  }
}

export const MAX_DURATION_MS = 600_000;

/** The first line of the intent, for lists. */
export function titleOf(intent: string): string {
  const line = intent.trim().split('\n')[0] ?? '';
  return line.length > 200 ? `${line.slice(0, 199).toWellFormed()}…` : line;
}

/** Holds at the end, once the agent has answered: so it never ends an attempt early, and leaves the decision to the graders. */
export const ANSWERED = { kind: 'answer', pattern: '\\S' } as const;
