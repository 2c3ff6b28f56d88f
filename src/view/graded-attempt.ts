/** What all graders say of one attempt, side by side. */
import { type EpisodeResult, type Grade, type GradeOfResult, type GradeVerdict, isTestModel } from '../events/index.ts';
import { isAgentOutcome } from '../metrics/index.ts';

/** One grader's word. */
export interface GradeView {
  grader: string;
  verdict: GradeVerdict;
  score: number | null;
  reasoning: string;
  model?: string;
  cost?: Grade['cost'];
  /** Files that the grader kept, by their key. */
  artifacts?: readonly string[];
}

export interface GradedAttempt {
  /** The name of the grader whose verdict decides. */
  decidedBy: string;
  /** The contract or the checker first; the others in the order in which they graded. */
  grades: readonly GradeView[];
}

export function gradedTask(result: EpisodeResult): GradedAttempt {
  const { grades = [], decidedBy = 'contract' } = result;
  const contract = grades.find(({ grader }) => grader === 'contract');
  const others = grades.filter(({ grader }) => grader !== 'contract').map(gradeView);
  const views = [contract ? gradeView(contract) : contractOf(result), ...others];
  return {
    decidedBy,
    grades: views.some(({ grader }) => grader === decidedBy) ? views : [...views, notYet(decidedBy)],
  };
}

/** Whether there is more than the verdict that every attempt has. */
export function hasFurtherGrades({ grades }: GradedAttempt): boolean {
  return grades.length > 1;
}

export function gradeView({
  grader,
  verdict,
  score,
  reasoning = '',
  model,
  cost,
  artifacts,
}: GradeOfResult): GradeView {
  return {
    grader,
    verdict,
    score,
    reasoning,
    ...(model === undefined ? {} : { model }),
    ...(cost === undefined ? {} : { cost }),
    ...(artifacts === undefined ? {} : { artifacts }),
  };
}

/** The model of a judge. Verdicts of the test model are always labelled. */
export function judgeModelText(model: string): string {
  return isTestModel(model) ? `${model} (test model)` : model;
}

/** The verdicts of graders that differ from the deciding one. Where one of the two gave none, they do not differ. */
export function differencesIn({ decidedBy, grades }: GradedAttempt): GradeView[] {
  const deciding = grades.find(({ grader }) => grader === decidedBy);
  if (!deciding || !isSettled(deciding.verdict)) return [];
  return grades.filter(({ verdict }) => isSettled(verdict) && verdict !== deciding.verdict);
}

function isSettled(verdict: GradeVerdict): boolean {
  return verdict === 'pass' || verdict === 'fail';
}

/** A grader that decides and has said nothing: the attempt has the class `grader_error`. */
function notYet(grader: string): GradeView {
  return { grader, verdict: 'error', score: null, reasoning: 'It has not graded the attempt yet.' };
}

/** As the run judged it. What was not the agent's doing is no failure. */
function contractOf({ status, outcome, reason, decidedBy, finalVerdict }: EpisodeResult): GradeView {
  // Where another grader decides and gave no verdict, the outcome class is that grader's, and the contract's verdict stands alone.
  const isItsOwn = decidedBy === undefined || outcome !== 'grader_error';
  const failed = isItsOwn ? isAgentOutcome(outcome) : finalVerdict === 'fail';
  const verdict = status === 'passed' ? 'pass' : failed ? 'fail' : 'error';
  const reasoning = decidedBy === undefined ? reason : `The contract at the end: ${finalVerdict.replace('_', ' ')}.`;
  return { grader: 'contract', verdict, score: verdict === 'error' ? null : verdict === 'pass' ? 1 : 0, reasoning };
}
