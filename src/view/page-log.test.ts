import { expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import type { JournalEvent } from '../events/index.ts';
import { HTML_LIMITS } from './limits.ts';
import { pageLogOf } from './page-log.ts';

type Seen = Extract<JournalEvent, { type: 'evidence' }>;
const evidence = documentedEvents.find((event): event is Seen => event.type === 'evidence');
const call = documentedEvents.find((event) => event.type === 'tool_call');
if (!evidence || call?.type !== 'tool_call') throw new Error('the page has a call and its evidence');
const { network: _n, console: _c, dialogs: _d, downloads: _o, popups: _p, dropped: _r, ...bare } = evidence;
const seen = (lists: Partial<Seen>): Seen => ({ ...bare, callId: call.callId, ...lists });
const request = (id: string, status?: number) => ({
  id,
  method: 'GET',
  url: `http://a/${id}`,
  type: 'Document',
  marker: 1,
  ...(status === undefined ? {} : { status }),
});

test('each request stands once, with the answer that came later, at the call after which it was first seen', () => {
  const log = pageLogOf([call, seen({ network: [request('1')] }), seen({ network: [request('1', 500)] })]);
  expect(log).toEqual({
    entries: [{ kind: 'network', seq: call.seq, lane: 'main', text: 'GET http://a/1 → 500', isBad: true }],
    leftOut: 0,
  });
});

test('console lines, dialogs, downloads and popups are told in words', () => {
  const { entries } = pageLogOf([
    seen({
      console: [{ type: 'log', text: 'x', uncaught: true, marker: 1 }],
      dialogs: [{ type: 'confirm', message: 'Sure?', marker: 1, accepted: false }],
      downloads: [{ url: 'http://a/f', suggestedFilename: 'f.pdf', state: 'completed', marker: 1 }],
      popups: [{ url: '', marker: 1 }],
    }),
  ]);
  expect(entries.map(({ kind, text, isBad, seq }) => [kind, text, isBad, seq])).toEqual([
    ['console', 'uncaught: x', true, null],
    ['dialog', 'confirm “Sure?”, dismissed', false, null],
    ['download', 'f.pdf (completed) from http://a/f', false, null],
    ['popup', 'about:blank', false, null],
  ]);
});

test('a long list is cut, and counted with what the journal left out', () => {
  const many = Array.from({ length: HTML_LIMITS.logEntries + 3 }, (_, index) => request(String(index), 200));
  const { entries, leftOut } = pageLogOf([seen({ network: many, dropped: { console: 4 } })]);
  expect(entries).toHaveLength(HTML_LIMITS.logEntries);
  expect(leftOut).toBe(7);
});
