/** Asks a judging grader several times, and decides by the majority. */
import { WaymarkError } from '../../errors/index.ts';
import type { Assessment, Grader } from '../grader.ts';
import { JudgeProblem } from './judge.ts';

const TIMEOUT_MS = 60_000;

/**
 * More than half of all votes must agree. A vote that failed agrees with none, so that a judge that fails often gives no verdict.
 * Graders that ask no model stay as they are.
 * @throws WaymarkError where the number is even: votes could be tied.
 */
export function withVotes(grader: Grader, votes: number): Grader {
  if (votes % 2 !== 1)
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: `The number of votes must be odd, and ${votes} is not.`,
      hint: 'For example: --judge-votes 3',
    });
  if (votes === 1 || !grader.needsModel) return grader;
  return {
    ...grader,
    version: `${grader.version}, ${votes} votes`,
    timeoutMs: (grader.timeoutMs ?? TIMEOUT_MS) * votes,
    async grade(attempt, context) {
      const cast: Assessment[] = [];
      while (cast.length < votes) {
        const vote = await voteOf(() => grader.grade(attempt, context));
        // It does not apply: no model was asked, and asking again changes nothing.
        if (vote.verdict === 'skipped') return vote;
        cast.push(vote);
      }
      return decide(cast);
    },
  };
}

async function voteOf(grade: () => Assessment | Promise<Assessment>): Promise<Assessment> {
  try {
    return await grade();
  } catch (thrown) {
    if (!(thrown instanceof JudgeProblem)) throw thrown;
    return { verdict: 'error', reasoning: thrown.message };
  }
}

function decide(cast: readonly Assessment[]): Assessment {
  const votes = cast.map(({ verdict, score = null, reasoning }) => ({ verdict, score, reasoning }));
  const winners = (['pass', 'fail'] as const)
    .map((verdict) => cast.filter((vote) => vote.verdict === verdict))
    .find(({ length }) => length > cast.length / 2);
  const [first] = winners ?? [];
  if (!winners || !first) {
    const counts = (['pass', 'fail', 'error'] as const).map(
      (verdict) => `${cast.filter((vote) => vote.verdict === verdict).length} ${verdict}`,
    );
    return {
      verdict: 'error',
      reasoning: `No verdict has a majority of the ${cast.length} votes: ${counts.join(', ')}.`,
      details: { votes, agreement: null },
    };
  }
  return {
    verdict: first.verdict,
    score: meanScore(winners),
    reasoning: `${winners.length} of ${cast.length} votes: ${first.reasoning}`,
    details: { ...first.details, votes, agreement: winners.length / cast.length },
  };
}

/** Of the votes that decided. */
function meanScore(winners: readonly Assessment[]): number {
  const scores = winners.map(({ verdict, score }) => score ?? (verdict === 'pass' ? 1 : 0));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
