import { expect, onTestFinished, test } from 'vitest';
import { itemSchema } from '../../cases/index.ts';
import { CheckThread } from './check-thread.ts';
import type { PendingItem } from './pending-item.ts';

const signal = new AbortController().signal;

function pending(id: string, response: string, item: Record<string, unknown> = { answer: 'Paris' }): PendingItem {
  const read = itemSchema.parse({ id, type: 'freeform', prompt_text: 'Which city?', ...item });
  return { seq: 1, item: read, attempt: 1, status: 'answered', response };
}

/** A megabyte that is compared with each of thousands of alternatives: minutes of work. */
function heavy(id: string): PendingItem {
  return pending(id, 'x '.repeat(500_000), { answer: Array(20_000).fill('a'), checker: { kind: 'exact' } });
}

test('items are checked in their order, in a thread; what needs a judge is left to one', async () => {
  await using checks = new CheckThread();
  const judged = pending('c', 'It rains.', { criteria: 'Says that it rains.' });
  const grades = await checks.check([pending('a', 'Paris'), pending('b', 'Rome'), judged], signal);
  expect(grades).toMatchObject([{ id: 'a', verdict: 'pass' }, { id: 'b', verdict: 'fail' }, 'judge']);
  // The same thread, once more.
  expect(await checks.check([pending('d', 'Paris')], signal)).toMatchObject([{ id: 'd', verdict: 'pass' }]);
});

test('a check that takes too long is an error of its item, and the others have their grades', async () => {
  await using checks = new CheckThread({ limitMs: 1_000 });
  const grades = await checks.check([pending('a', 'Paris'), heavy('slow'), pending('b', 'Rome')], signal);
  expect(grades).toMatchObject([
    { id: 'a', verdict: 'pass' },
    { id: 'slow', verdict: 'error', value: null, detail: { reason: 'The check took longer than 1 s.' } },
    { id: 'b', verdict: 'fail' },
  ]);
});

test('a check that throws is an error of its item', async () => {
  await using checks = new CheckThread();
  // An item of a form that no schema lets through.
  const broken = {
    ...pending('broken', 'Paris'),
    item: { id: 'broken', checker: { kind: 'choice' }, answer: 'A', choices: 5 },
  };
  const grades = await checks.check([broken as unknown as PendingItem, pending('b', 'Paris')], signal);
  expect(grades).toMatchObject([
    { id: 'broken', verdict: 'error', detail: { reason: expect.stringMatching(/^The check failed: /) } },
    { id: 'b', verdict: 'pass' },
  ]);
});

test('work that is stopped ends at once, and the thread is good for the next', async () => {
  const checks = new CheckThread();
  onTestFinished(() => checks[Symbol.asyncDispose]());
  const stop = new AbortController();
  const stopped = checks.check([heavy('slow')], stop.signal);
  stop.abort(new Error('the server stops'));
  await expect(stopped).rejects.toThrow('the server stops');
  expect(await checks.check([pending('a', 'Paris')], signal)).toMatchObject([{ verdict: 'pass' }]);
});
