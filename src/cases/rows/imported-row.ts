/** What becomes of one row of a benchmark: a task, or the reason why there is none. */
import type { GraderKind } from '../graders/grader-spec.ts';
import { parseTask, type TaskInput } from '../tasks/task.ts';

/** A task with what a reader of its results should know. */
export interface TaskOfRow {
  readonly task: TaskInput;
  /** Where the verdict may differ from the benchmark's own. */
  readonly notes: readonly string[];
  /** Why a model is asked, where a judge decides or stands beside the facts. */
  readonly why?: string | undefined;
}

export type ImportedRow =
  | ({ readonly result: 'task' } & TaskOfRow)
  /** The row is right, and its rules can't be stated here. `needs`: the grader that could apply them, with code of the benchmark. */
  | { readonly result: 'not_portable'; readonly id: string; readonly needs?: GraderKind; readonly reason: string }
  /** The row is not what the format says. */
  | { readonly result: 'invalid'; readonly reason: string };

/** Thrown inside an import, where a rule of the row has no counterpart. The message is a sentence. */
export class NotPortable extends Error {
  override readonly name = 'NotPortable';
  readonly needs: GraderKind | undefined;

  constructor(message: string, needs?: GraderKind) {
    super(message);
    this.needs = needs;
  }
}

/** Nothing is written that `waymark run` would refuse. */
export function checkedTask(id: string, make: () => TaskOfRow): ImportedRow {
  try {
    const made = make();
    const parsed = parseTask(made.task);
    if (parsed.ok) return { result: 'task', ...made };
    const reason = parsed.problems.map(({ path, message }) => `${path}: ${message}`).join(' ');
    return { result: 'invalid', reason: `The task that it makes can't be used. ${reason}` };
  } catch (thrown) {
    if (!(thrown instanceof NotPortable)) throw thrown;
    const { needs, message: reason } = thrown;
    return { result: 'not_portable', id, ...(needs === undefined ? {} : { needs }), reason };
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
