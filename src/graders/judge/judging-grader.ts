/** What all graders that ask a model about an attempt have in common. */
import type { Assessment, AttemptReader, Grader, GraderContext } from '../grader.ts';
import { type Judge, JudgeProblem } from './judge.ts';
import { faultOfOthers } from './not-judged.ts';

export interface JudgingContext extends GraderContext {
  readonly judge: Judge;
}

export interface JudgingGrader extends Pick<Grader, 'name' | 'version' | 'timeoutMs'> {
  /** Asked only about attempts that ended by what the agent did. */
  judge(attempt: AttemptReader, context: JudgingContext): Promise<Assessment>;
}

export function judgingGrader({ judge: assess, ...about }: JudgingGrader): Grader {
  return {
    ...about,
    needsModel: true,
    async grade(attempt, context) {
      const fault = faultOfOthers(attempt);
      if (fault) return fault;
      const { judge } = context;
      if (!judge) throw new JudgeProblem('No model was chosen.');
      return await assess(attempt, { ...context, judge });
    },
  };
}

/** A reply without a verdict is an error of the judge: never a pass, and never a failure of the agent. */
export function noVerdict(what: string, details: Assessment['details'] = {}): Assessment {
  return { verdict: 'error', reasoning: `The judge's reply holds no ${what}.`, details };
}

/** What the judge gave as its reasons, for people. */
export function reasonsOf(thoughts: string): string {
  return thoughts.trim() === '' ? 'The judge gave no reasons.' : thoughts.trim();
}
