/** Grades beside a journal: which of them count, and what the one that decides makes of the attempt. */
import { isAgentOutcome, type OutcomeClass } from '../metrics/index.ts';
import type { Grade } from './grade.ts';

/** A grade in a result: without when it was given, so that grading again changes no report. */
export type GradeOfResult = Omit<Grade, 'at' | 'details' | 'round'>;

export function gradeOfResult({ at: _at, round: _round, details: _details, ...grade }: Grade): GradeOfResult {
  return grade;
}

/** The newest of each grader, in the order in which the graders first graded. */
export function latestByGrader(grades: readonly Grade[]): Grade[] {
  const latest = new Map<string, Grade>();
  for (const grade of grades) {
    const known = latest.get(grade.grader);
    if (!known || grade.round >= known.round) latest.set(grade.grader, grade);
  }
  return [...latest.values()];
}

/** The grader that decides a task; undefined where it is the contract. */
export function deciderOf({ decidedBy }: { decidedBy?: string | undefined }): string | undefined {
  return decidedBy === 'contract' ? undefined : decidedBy;
}

export interface Decision {
  readonly outcome: OutcomeClass;
  readonly reason: string;
}

/** Whether the deciding grade says what the attempt came to. A guarded action that was refused is no success, whatever a grader sees. */
export function isLeftToGrader(outcome: OutcomeClass): boolean {
  return outcome !== 'guard_stop' && (isAgentOutcome(outcome) || outcome === 'grader_error');
}

/**
 * Of a task that another grader than the contract decides. What was not the agent's doing stays what it is; the rest is as the deciding
 * grade says, also where the contract could not be evaluated (a trace that was made elsewhere has no evidence). An attempt
 * that its cap ended may pass; where it does not, the cap is still the reason.
 */
export function decide(ended: Decision, decidedBy: string, grades: readonly Grade[]): Decision {
  if (!isLeftToGrader(ended.outcome)) return ended;
  const grade = latestByGrader(grades).find(({ grader }) => grader === decidedBy);
  const why = grade?.reasoning ?? 'it has not graded the attempt yet.';
  switch (grade?.verdict) {
    case 'pass':
      return { outcome: 'passed', reason: `${decidedBy}: ${why}` };
    case 'fail':
      return {
        outcome: ended.outcome === 'max_steps' || ended.outcome === 'timeout' ? ended.outcome : 'failed',
        reason: `${decidedBy}: ${why}`,
      };
    default:
      return { outcome: 'grader_error', reason: `${decidedBy}: ${why}` };
  }
}
