import { describe, expect, test } from 'vitest';
import { type EpisodeTaskSpec, itemSchema } from '../../cases/index.ts';
import { type AnswerSpec, graderSpecSchema } from '../../cases/schemas.ts';
import type { JournalEvent } from '../../events/index.ts';
import { gradeAttempt } from '../grade-attempt.ts';
import type { AttemptReader, GradedCase } from '../grader.ts';
import { makeGrader } from '../make-grader.ts';

const TASK: GradedCase = { kind: 'task', task: { id: 'a' } as EpisodeTaskSpec };
const QUESTION: GradedCase = {
  kind: 'question',
  item: itemSchema.parse({ id: 'q', type: 'numeric', prompt_text: '6 × 7?', answer: 42 }),
};

type Stop = Partial<Extract<JournalEvent, { type: 'stop' }>>;

async function grade(spec: Partial<AnswerSpec>, answer: string | null, subject = TASK, stop: Stop | null = {}) {
  const grader = await makeGrader(graderSpecSchema.parse({ grader: 'answer', ...spec }), { folder: '.' });
  const end = { seq: 1, time: 1, type: 'stop', status: 'failed', reason: 'The agent said done.', ...stop };
  const attempt: AttemptReader = {
    ref: { runId: 'r', caseId: 'a', trial: 1, attempt: 1 },
    subject,
    answer,
    events: stop === null ? [] : [end as JournalEvent],
    artifact: async () => undefined,
  };
  return gradeAttempt(grader, attempt, {
    signal: new AbortController().signal,
    judge: undefined,
    keep: () => undefined,
  });
}

describe('the answer of a task', () => {
  test('is checked by the checker of the spec', async () => {
    const spec: Partial<AnswerSpec> = { checker: { kind: 'currency' }, expected: '$12.50' };
    expect(await grade(spec, 'It costs 12.50 dollars.')).toEqual({
      grader: 'answer',
      version: '1',
      verdict: 'pass',
      score: 1,
      reasoning: 'The response says 12.50 dollars.',
      details: { checker: 'currency', found: 12.5, expected: '$12.50' },
    });
    expect(await grade(spec, 'It costs $13.')).toMatchObject({ verdict: 'fail', score: 0 });
  });

  test('is compared as text where the spec has no checker', async () => {
    expect(await grade({ expected: 'Tokyo' }, '**tokyo**')).toMatchObject({ verdict: 'pass' });
    expect(await grade({ expected: ['Tokyo', 'Edo'] }, 'Edo')).toMatchObject({ verdict: 'pass' });
  });

  test('may choose from options', async () => {
    const choices = ['Venus', 'Mars', 'Earth'];
    const one: Partial<AnswerSpec> = { checker: { kind: 'choice' }, expected: 'B', choices };
    expect(await grade(one, 'The answer is Mars.')).toMatchObject({ verdict: 'pass' });
    expect(await grade(one, 'The answer is Venus.')).toMatchObject({ verdict: 'fail' });
    const several: Partial<AnswerSpec> = { checker: { kind: 'multi_choice' }, expected: ['A', 'Mars'], choices };
    expect(await grade(several, 'A and B')).toMatchObject({ verdict: 'pass' });
    expect(await grade(several, 'A, B and C')).toMatchObject({ verdict: 'fail', score: expect.closeTo(0.8) });
  });

  test('keeps its grade under the name of the spec', async () => {
    expect(await grade({ name: 'price', expected: '1' }, '1')).toMatchObject({ grader: 'price' });
  });

  test('is skipped where the case says neither a checker nor an answer', async () => {
    expect(await grade({}, 'Tokyo')).toMatchObject({
      verdict: 'skipped',
      score: null,
      reasoning: 'The case says neither a checker nor a right answer.',
    });
  });

  test.each<[string, Stop | null, string, string]>([
    ['the agent ended', { status: 'failed' }, 'fail', 'The agent gave no answer.'],
    ['the steps were used up', { status: 'max_steps' }, 'fail', 'The agent gave no answer.'],
    ['the time was over', { status: 'timeout' }, 'fail', 'The agent gave no answer.'],
    [
      'the browser died',
      { status: 'tool_error', cause: 'browser', reason: 'The browser died.' },
      'skipped',
      'There is no answer, because the attempt ended otherwise: The browser died.',
    ],
    [
      'the server was lost',
      { status: 'tool_error', reason: 'The server ended.' },
      'skipped',
      'There is no answer, because the attempt ended otherwise: The server ended.',
    ],
    [
      'the run was stopped',
      { status: 'failed', interrupted: true, reason: 'The run was stopped.' },
      'skipped',
      'There is no answer, because the attempt ended otherwise: The run was stopped.',
    ],
    ['the journal was cut off', null, 'skipped', 'There is no answer, because the attempt was cut off.'],
  ])('that is missing, where %s', async (_, stop, verdict, reasoning) => {
    expect(await grade({ expected: 'Tokyo' }, null, TASK, stop)).toMatchObject({ verdict, reasoning });
  });

  test('that a pattern can’t be tried on is an error', async () => {
    const spec: Partial<AnswerSpec> = { checker: { kind: 'regex', pattern: '(a|b){400}[cd]' } };
    expect(await grade(spec, 'ab'.repeat(500_000))).toMatchObject({ verdict: 'error', score: null });
  });
});

describe('the answer of a question', () => {
  test('is checked by the item’s own checker where the spec has none', async () => {
    expect(await grade({}, 'It is 42.', QUESTION)).toMatchObject({ verdict: 'pass', details: { checker: 'numeric' } });
    expect(await grade({}, 'It is 43.', QUESTION)).toMatchObject({ verdict: 'fail' });
    expect(await grade({ checker: { kind: 'regex', pattern: '4.' } }, '43', QUESTION)).toMatchObject({
      verdict: 'pass',
    });
  });

  test('is skipped where there is no answer, or where a judge is needed', async () => {
    expect(await grade({}, null, QUESTION, { status: 'error', reason: 'The network failed.' })).toMatchObject({
      verdict: 'skipped',
    });
    const item = itemSchema.parse({ id: 'q', type: 'judge', prompt_text: 'Why?', criteria: 'c' });
    expect(await grade({}, 'because', { kind: 'question', item })).toMatchObject({ verdict: 'skipped' });
  });
});

describe('a spec that can’t be used is refused', () => {
  test.each<[string, unknown, string]>([
    [
      'a date without an order',
      { checker: { kind: 'date' }, expected: '03/04/2024' },
      'is not clear: 03/04/2024 can be',
    ],
    ['an expected number that is none', { checker: { kind: 'numeric' }, expected: 'many' }, 'must be a number'],
    ['no expected answer', { checker: { kind: 'url' } }, 'is required for url'],
    ['no options', { checker: { kind: 'choice' }, expected: 'A' }, 'is required for choice'],
    [
      'an unknown currency',
      { checker: { kind: 'currency', currency: 'XXQ' }, expected: 5 },
      'must be the code of a known',
    ],
    [
      'an element that does not fit',
      { checker: { kind: 'list', items: { kind: 'url' } }, expected: ['x y'] },
      'element (0) that',
    ],
    ['a judge', { checker: { kind: 'judge' } }, 'must not be "judge"'],
  ])('%s', (_, spec, message) => {
    const { error } = graderSpecSchema.safeParse({ grader: 'answer', ...(spec as object) });
    expect(error?.issues.map((issue) => issue.message).join(' ')).toContain(message);
  });
});
