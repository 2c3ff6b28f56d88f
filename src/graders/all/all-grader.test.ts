import { describe, expect, test } from 'vitest';
import { parseTask } from '../../cases/index.ts';
import type { GraderSpec } from '../../cases/schemas.ts';
import type { JournalEvent } from '../../events/index.ts';
import { gradeAttempt } from '../grade-attempt.ts';
import { makeGrader } from '../make-grader.ts';

const TASK = { id: 'a', title: 'a', startUrl: 'about:blank', goal: 'a', success: { kind: 'no_dialog' } };
const RIGHT: GraderSpec = { grader: 'answer', name: 'right', expected: 'yes' };
const WRONG: GraderSpec = { grader: 'answer', name: 'wrong', expected: 'no' };
const SILENT: GraderSpec = { grader: 'answer', name: 'silent' };
const BROKEN: GraderSpec = { grader: 'answer', name: 'broken', checker: { kind: 'regex', pattern: '(a|b){400}[cd]' } };

async function grade(of: string[], answer = 'yes') {
  const all: GraderSpec = { grader: 'all', of };
  const parsed = parseTask({ ...TASK, graders: [RIGHT, WRONG, SILENT, BROKEN, all] });
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join(' '));
  const stop = { seq: 1, time: 1, type: 'stop', status: 'failed', reason: 'The agent ended.' } as JournalEvent;
  return gradeAttempt(
    await makeGrader(all, { folder: '.' }),
    {
      ref: { runId: 'r', caseId: 'a', trial: 1, attempt: 1 },
      subject: { kind: 'task', task: parsed.task },
      answer,
      events: [stop],
      artifact: async () => undefined,
    },
    { signal: new AbortController().signal, judge: undefined, keep: () => undefined },
  );
}

describe('several graders together', () => {
  test.each([
    [['right'], 'pass', 'All pass: right.'],
    [['right', 'wrong'], 'fail', 'wrong: The response is not the answer.'],
    [['silent', 'wrong'], 'fail', 'wrong: The response is not the answer.'],
    [['right', 'silent'], 'skipped', 'silent: The case says neither a checker nor a right answer.'],
  ])('%j: %s', async (of, verdict, reasoning) => {
    expect(await grade(of)).toMatchObject({ grader: 'all', verdict, reasoning });
  });

  test('one that can’t tell is an error where no other one fails', async () => {
    const long = `yes${' '.repeat(1_000_000)}`;
    expect(await grade(['right', 'broken'], long)).toMatchObject({ verdict: 'error', score: null });
    expect(await grade(['silent', 'broken'], long)).toMatchObject({ verdict: 'error' });
    expect(await grade(['broken', 'wrong'], long)).toMatchObject({ verdict: 'fail' });
  });

  test('the details have each part', async () => {
    expect((await grade(['right', 'wrong'])).details).toEqual({
      parts: [
        { grader: 'right', version: '1', verdict: 'pass', score: 1, reasoning: 'The response is the answer.' },
        { grader: 'wrong', version: '1', verdict: 'fail', score: 0, reasoning: 'The response is not the answer.' },
      ],
    });
  });

  test('the contract is a part without being named as a grader', async () => {
    expect(await grade(['contract'])).toMatchObject({
      verdict: 'error',
      reasoning: expect.stringMatching(/^contract: /),
    });
  });

  test.each([
    ['a grader that is not there', ['webs']],
    ['itself', ['all']],
    ['a judge', ['webjudge']],
  ])('refuses %s', (_, of) => {
    const parsed = parseTask({ ...TASK, graders: [{ grader: 'webjudge' }, { grader: 'all', of }] });
    expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(`names "${of[0]}"; name graders of the case that ask no model and are no "all"`),
    ]);
  });
});
