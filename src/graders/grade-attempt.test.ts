/** A grade comes out whatever a grader does: those of this module on an attempt that can't be read, and ones made to fail. */
import { describe, expect, test } from 'vitest';
import { questionAttempt, taskAttempt } from '../../test/graders/judged-attempt.ts';
import { GRADER_KINDS, type GraderKind, type GraderSpec } from '../cases/schemas.ts';
import { gradeAttempt } from './grade-attempt.ts';
import type { AttemptReader, Grader } from './grader.ts';
import { makeGrader } from './make-grader.ts';

const { signal } = new AbortController();
const WITHOUT_JUDGE = { signal, judge: undefined, keep: () => {} };

/** In processes of their own: test/graders/command.test.ts and module.test.ts. They ask a model: test/graders/judges.test.ts. */
type Elsewhere = 'command' | 'module' | 'webvoyager' | 'webjudge' | 'rubric' | 'performance';
const SPECS: { readonly [K in Exclude<GraderKind, Elsewhere>]: GraderSpec } = {
  contract: { grader: 'contract' },
  answer: { grader: 'answer', expected: 'hello' },
  trajectory: { grader: 'trajectory', maxSteps: 5 },
  network: { grader: 'network', expect: [{ url: 'http://shop.test/sent', method: 'POST' }] },
  'state-diff': { grader: 'state-diff', stateUrl: '/state', criteria: [{ query: 'sent', expected: true }] },
  all: { grader: 'all', of: ['contract'] },
};

test('every kind of grader is tried here or in one of the files that are named above', () => {
  const elsewhere: Elsewhere[] = ['webvoyager', 'webjudge', 'rubric', 'performance', 'command', 'module'];
  expect([...Object.keys(SPECS), ...elsewhere].toSorted()).toEqual(GRADER_KINDS.toSorted());
});

test.each(Object.values(SPECS))('$grader: an attempt that can’t be read is an error with the reason', async (spec) => {
  const broken: AttemptReader = {
    ...taskAttempt(),
    get answer(): string {
      throw new Error('the disk is gone');
    },
    get events(): [] {
      throw new Error('the disk is gone');
    },
  };
  expect(await gradeAttempt(await makeGrader(spec, { folder: '.' }), broken, WITHOUT_JUDGE)).toMatchObject({
    grader: spec.grader,
    verdict: 'error',
    score: null,
    reasoning: expect.stringContaining('the disk is gone'),
  });
});

describe('contract', () => {
  const graded = async (attempt: AttemptReader) =>
    await gradeAttempt(await makeGrader({ grader: 'contract' }, { folder: '.' }), attempt, WITHOUT_JUDGE);

  // Passes and failures are of real attempts, in test/graders/grade-run.test.ts.
  test('is an error where the journal records verdicts that its facts do not give', async () => {
    expect(await graded(taskAttempt({ stop: { status: 'passed' } }))).toMatchObject({
      verdict: 'error',
      score: null,
      reasoning: expect.stringMatching(
        /^The facts of the journal do not give the verdicts that it records \(events \d/,
      ),
    });
  });

  test('is an error where the journal has no task', async () => {
    expect(await graded({ ...taskAttempt(), events: [] })).toMatchObject({ verdict: 'error', score: null });
  });

  test('is skipped for a question', async () => {
    expect(await graded(questionAttempt('Yes.'))).toMatchObject({ verdict: 'skipped', score: null });
  });
});

describe('a grader that fails', () => {
  const graded = async (grade: () => unknown, timeoutMs?: number) =>
    await gradeAttempt({ name: 'mine', version: '3', timeoutMs, grade: grade as Grader['grade'] }, taskAttempt(), {
      ...WITHOUT_JUDGE,
    });
  const endless: Record<string, unknown> = {};
  endless['again'] = endless;

  test.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new TypeError('x is not a function');
      },
      /^The grader failed: x is not a function$/,
    ],
    ['rejects', () => Promise.reject(new Error('no table')), /^The grader failed: no table$/],
    ['rejects with nothing', () => Promise.reject(undefined), /^The grader failed: /],
    ['says nothing', () => undefined, /something other than a verdict/],
    ['says a word', () => 'pass', /something other than a verdict/],
    ['says another verdict', () => ({ verdict: 'passed', reasoning: '' }), /something other than a verdict: verdict: /],
    ['gives no reason', () => ({ verdict: 'pass' }), /something other than a verdict: reasoning: /],
    ['gives a score of 2', () => ({ verdict: 'pass', score: 2, reasoning: '' }), /a verdict: score: /],
    ['gives no number', () => ({ verdict: 'pass', score: Number.NaN, reasoning: '' }), /a verdict: score: /],
    ['gives no JSON', () => ({ verdict: 'pass', reasoning: '', details: { at: 1n } }), /a verdict: details/],
    ['gives details without an end', () => ({ verdict: 'pass', reasoning: '', details: endless }), /^The grader /],
    [
      'gives long details',
      () => ({ verdict: 'pass', reasoning: '', details: { text: 'x'.repeat(300_000) } }),
      /^The details of the grader are longer than 200000 characters\.$/,
    ],
  ])('and %s is an error', async (_, grade, reasoning) => {
    const given = await graded(grade);
    expect(given).toMatchObject({ grader: 'mine', version: '3', verdict: 'error', score: null, details: {} });
    expect(given.reasoning).toMatch(reasoning);
  });

  test('and never ends is an error when its time is over', async () => {
    expect(await graded(() => new Promise(() => {}), 20)).toMatchObject({
      verdict: 'error',
      reasoning: 'The grader gave no verdict within 20 ms.',
    });
  });

  test('when the work is stopped gives no grade', async () => {
    const stop = new AbortController();
    const grade = gradeAttempt({ name: 'mine', version: '1', grade: () => new Promise(() => {}) }, taskAttempt(), {
      ...WITHOUT_JUDGE,
      signal: stop.signal,
    });
    stop.abort(new Error('stopped by the user'));
    await expect(grade).rejects.toThrow('stopped by the user');
  });
});
