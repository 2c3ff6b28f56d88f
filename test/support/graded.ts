/** One grader on one attempt, as a run would call it. */
import { type GraderSpec, graderSpecSchema, parseTask } from '../../src/cases/schemas.ts';
import type { JournalEvent } from '../../src/events/index.ts';
import {
  type AttemptReader,
  type GradedCase,
  type GraderContext,
  gradeAttempt,
  makeGrader,
  type NewAssessment,
} from '../../src/graders/index.ts';

const parsed = parseTask({
  id: 'test-task',
  title: 'A task of a test',
  startUrl: 'about:blank',
  goal: 'Do it.',
  success: { kind: 'no_dialog' },
});
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));

export const TASK_CASE: Extract<GradedCase, { kind: 'task' }> = { kind: 'task', task: parsed.task };

/** An attempt at a task without steps; `more` changes it. */
export function attemptOf(events: readonly JournalEvent[], more: Partial<AttemptReader> = {}): AttemptReader {
  const ref = { runId: 'run-1', caseId: 'test-task', trial: 1, attempt: 1 };
  return { ref, subject: TASK_CASE, answer: null, events, artifact: async () => undefined, ...more };
}

export interface Graded extends NewAssessment {
  /** Files that the grader kept, as text. */
  kept: Record<string, string>;
}

/** The spec is checked as a case's is; paths in it are relative to `folder`. */
export async function graded(
  spec: GraderSpec,
  attempt: AttemptReader,
  { folder = '', ...context }: Partial<GraderContext> & { folder?: string } = {},
): Promise<Graded> {
  const grader = await makeGrader(graderSpecSchema.parse(spec), { folder });
  const kept: Record<string, string> = {};
  const grade = await gradeAttempt(grader, attempt, {
    signal: new AbortController().signal,
    judge: undefined,
    keep: (name, content) => {
      kept[name] = typeof content === 'string' ? content : Buffer.from(content).toString();
    },
    ...context,
  });
  return { ...grade, kept };
}
