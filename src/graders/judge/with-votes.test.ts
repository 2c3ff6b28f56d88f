import { describe, expect, test } from 'vitest';
import { type Assessment, type AttemptReader, defineGrader, type Grader, type GraderContext } from '../grader.ts';
import { JudgeProblem } from './judge.ts';
import { withVotes } from './with-votes.ts';

const pass: Assessment = { verdict: 'pass', score: 0.9, reasoning: 'It arrived.', details: { at: 'home' } };
const fail: Assessment = { verdict: 'fail', score: 0.1, reasoning: 'It did not arrive.' };
const error: Assessment = { verdict: 'error', reasoning: 'No verdict.' };
const problem = new JudgeProblem('The judge could not be asked: no reply.');

/** Says one after the other; what is an error is thrown. */
function saying(...said: (Assessment | Error)[]): Grader {
  let next = 0;
  return defineGrader({
    name: 'some',
    version: '1',
    needsModel: true,
    grade() {
      const vote = said[next++];
      if (vote === undefined || vote instanceof Error) throw vote ?? new Error('asked too often');
      return vote;
    },
  });
}

const graded = (grader: Grader) => grader.grade({} as AttemptReader, {} as GraderContext);

describe('votes of a judge', () => {
  test('are decided by the majority, with all votes and their agreement', async () => {
    expect(await graded(withVotes(saying(pass, fail, pass), 3))).toEqual({
      verdict: 'pass',
      score: 0.9,
      reasoning: '2 of 3 votes: It arrived.',
      details: {
        at: 'home',
        agreement: 2 / 3,
        votes: [
          { verdict: 'pass', score: 0.9, reasoning: 'It arrived.' },
          { verdict: 'fail', score: 0.1, reasoning: 'It did not arrive.' },
          { verdict: 'pass', score: 0.9, reasoning: 'It arrived.' },
        ],
      },
    });
  });

  test('outvote one that failed, whether it was said or thrown', async () => {
    expect(await graded(withVotes(saying(fail, problem, fail), 3))).toMatchObject({ verdict: 'fail', score: 0.1 });
    expect(await graded(withVotes(saying(error, pass, pass), 3))).toMatchObject({ verdict: 'pass' });
  });

  test.each([
    ['one of each', [pass, fail, error], '1 pass, 1 fail, 1 error'],
    ['two failed and one passed', [pass, problem, error], '1 pass, 0 fail, 2 error'],
  ])('without a majority are an error: %s', async (_, votes, counts) => {
    expect(await graded(withVotes(saying(...votes), 3))).toMatchObject({
      verdict: 'error',
      reasoning: `No verdict has a majority of the 3 votes: ${counts}.`,
      details: { agreement: null },
    });
  });

  test('are not asked for where the grader does not apply', async () => {
    const skipped: Assessment = { verdict: 'skipped', reasoning: 'It is a question.' };
    expect(await graded(withVotes(saying(skipped), 3))).toEqual(skipped);
  });

  test('do not hide a crash of the grader', async () => {
    await expect(graded(withVotes(saying(pass, new TypeError('a bug')), 3))).rejects.toThrow('a bug');
  });

  test('have a version and a time of their own, and are for graders that ask a model', () => {
    expect(withVotes({ ...saying(), timeoutMs: 5 }, 3)).toMatchObject({ version: '1, 3 votes', timeoutMs: 15 });
    const plain = { ...saying(), needsModel: false };
    expect(withVotes(plain, 3)).toBe(plain);
  });

  test('are odd in number', () => {
    expect(() => withVotes(saying(), 2)).toThrow('The number of votes must be odd, and 2 is not.');
  });
});
