import { expect, test } from 'vitest';
import { blockedRequests } from './blocked-requests.ts';
import type { JournalEvent } from './events.ts';

const call = (step: number) => ({ type: 'tool_call', by: 'agent', step }) as JournalEvent;
const evidence = (...network: object[]) => ({ type: 'evidence', network }) as unknown as JournalEvent;
const post = { id: '7', at: 1, method: 'POST', url: 'https://shop.com/orders', type: 'Fetch', marker: 1 };

test('each blocked request is counted once, with the step after which it was seen', () => {
  const events = [
    evidence({ ...post, id: '6', blocked: true }, { ...post, id: '8' }),
    call(1),
    evidence({ ...post, blocked: true }),
    call(2),
    evidence({ ...post, blocked: true, failed: 'net::ERR_BLOCKED_BY_CLIENT' }),
  ];
  expect(blockedRequests(events)).toEqual({
    count: 2,
    requests: [
      { method: 'POST', url: post.url, step: 0 },
      { method: 'POST', url: post.url, step: 1 },
    ],
  });
});

test('a result without any has no such field', () => {
  expect(blockedRequests([call(1), evidence(post)])).toBeUndefined();
});

test('a page that goes on and on fills no report', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ ...post, id: String(index), blocked: true }));
  const { count, requests = [] } = blockedRequests([evidence(...many)]) ?? {};
  expect([count, requests.length]).toEqual([100, 20]);
});
