import { expect, test } from 'vitest';
import type { JournalEvent } from '../events/index.ts';
import { FEED_LENGTH, type FeedEntry, feedOf, mergedFeed, notBegunEntry } from './feed.ts';

const cell = { id: 'e2', caseId: 'shop', trial: 1, attempt: 1 };
const events = (...list: Record<string, unknown>[]): JournalEvent[] =>
  list.map((event, seq) => ({ seq, time: 100 + seq, ...event })) as unknown as JournalEvent[];
const call = (step: number, more: Record<string, unknown> = {}) => ({
  type: 'tool_call',
  callId: `c${step}`,
  step,
  tool: 'interact',
  ...more,
});

test('an attempt is told by its beginning, its steps with their rewards and lanes, and its end', () => {
  const told = feedOf(
    cell,
    events(
      { type: 'start' },
      call(0),
      call(1),
      { type: 'reward', callId: 'c1', score: 0.25 },
      call(2, { executorId: 'left' }),
      call(2, { continues: true }),
      { type: 'stop', status: 'failed', reason: 'The agent is done, and the contract does not pass.' },
    ),
  );
  expect(told.map(({ kind, tone, text }) => [kind, tone, text])).toEqual([
    ['began', 'open', 'began'],
    ['step', 'open', 'step 1: interact (+0.25)'],
    ['step', 'open', 'step 2 in left: interact'],
    ['ended', 'bad', 'failed: The agent is done, and the contract does not pass.'],
  ]);
});

test('what was no failure of the agent has the tone of a fault: an attempt that somebody stopped, a lost browser, one that could not begin', () => {
  const tones = [
    {
      status: 'tool_error',
      cause: 'transport',
      interrupted: true,
      reason: 'This attempt was stopped from the web app.',
    },
    { status: 'tool_error', cause: 'browser', reason: 'The browser was lost.' },
    { status: 'passed', reason: 'The contract passed after step 1.' },
  ].map((stop) => feedOf({ ...cell, attempt: 2 }, events({ type: 'start' }, { type: 'stop', ...stop })));
  expect(tones.map(([began, end]) => [began?.text, end?.tone, end?.text])).toEqual([
    ['attempt 2 began', 'fault', 'interrupted: This attempt was stopped from the web app.'],
    ['attempt 2 began', 'fault', 'env_error: The browser was lost.'],
    ['attempt 2 began', 'good', 'The contract passed after step 1.'],
  ]);
  expect(notBegunEntry(cell, 7, { reason: 'No browser.', outcome: 'env_error' })).toMatchObject({
    tone: 'fault',
    text: 'could not be begun (env_error): No browser.',
  });
});

test('the feed is the same for who was there from the beginning and for who reads all cells at once, in whatever order', () => {
  const of = (id: string, from: number, count: number): FeedEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      ...feedOf({ ...cell, id }, events({ type: 'start' }))[0],
      key: `${id} ${index}`,
      at: from + index * 3,
    })) as FeedEntry[];
  const cells = Array.from({ length: 9 }, (_, index) => ({
    id: `e${index + 1}`,
    entries: of(`e${index + 1}`, index * 50, 60),
  }));
  const late = cells.reduce((feed: readonly FeedEntry[], { id, entries }) => mergedFeed(feed, id, entries), []);
  let early: readonly FeedEntry[] = [];
  for (let seen = 1; seen <= 60; seen++)
    for (const { id, entries } of cells.toReversed()) early = mergedFeed(early, id, entries.slice(0, seen));
  expect(late).toHaveLength(FEED_LENGTH);
  expect(early).toEqual(late);
});
