import { expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import type { EventOf } from '../events/index.ts';
import { changesBetween } from './evidence-delta.ts';

const before: EventOf<'evidence'> = {
  seq: 1,
  time: 1,
  type: 'evidence',
  url: 'http://a.test/',
  title: 'A',
  page: 'ok',
  digests: { dom: '1', text: '1', actionable: '1' },
  regions: { 'body@': '1', 'body/h1': '1', 'body/p': '1' },
  counters: { network: 1, console: 0, dialogs: 0, downloads: 0, popups: 0 },
  tabs: [{ url: 'http://a.test/', title: 'A' }],
};
const tags = (now: Partial<EventOf<'evidence'>>): string[] =>
  changesBetween(before, { ...before, ...now }).map(({ tag }) => tag);

test('without a change the list is empty', () => {
  expect(changesBetween(before, before)).toEqual([]);
});

test.each<[string, Partial<EventOf<'evidence'>>, string[]]>([
  ['the URL', { url: 'http://a.test/2' }, ['url']],
  ['the title', { title: 'B' }, ['title']],
  ['the text', { digests: { dom: '1', text: '2', actionable: '1' } }, ['text']],
  ['the document', { digests: { dom: '2', text: '1', actionable: '1' } }, ['dom']],
  ['what can be acted on', { digests: { dom: '1', text: '1', actionable: '2' } }, ['actionable']],
  ['the tabs', { tabs: [] }, ['tabs']],
  ['a page that crashed', { page: 'crashed' }, ['crashed']],
])('says what changed: %s', (_name, now, expected) => {
  expect(tags(now)).toEqual(expected);
});

test('names the regions that changed, and how', () => {
  const now = {
    digests: { dom: '2', text: '1', actionable: '1' },
    regions: { 'body@': '2', 'body/h1': '2', 'body/b': '1' },
  };
  expect(changesBetween(before, { ...before, ...now })[0]?.entries).toEqual([
    'body/h1: changed',
    'body/p: gone',
    'body/b: new',
  ]);
});

test('counts and lists what happened; failures are marked', () => {
  const changes = changesBetween(before, {
    ...before,
    counters: { network: 10, console: 2, dialogs: 1, downloads: 1, popups: 1 },
    network: [
      ...Array.from({ length: 8 }, () => ({
        method: 'GET',
        url: 'http://a.test/x',
        status: 200,
        type: 'XHR',
        marker: 1,
      })),
      { method: 'POST', url: 'http://a.test/y', type: 'XHR', marker: 1, failed: 'net::ERR_FAILED' },
    ],
    console: [
      { type: 'log', text: 'fine', uncaught: false, marker: 1 },
      { type: 'error', text: 'Error: no', uncaught: true, marker: 1 },
    ],
    dialogs: [{ type: 'confirm', message: 'Sure?', marker: 1, accepted: false }],
    downloads: [{ url: 'http://a.test/r.csv', suggestedFilename: 'r.csv', state: 'completed', marker: 1 }],
    popups: [{ url: 'http://a.test/popup', marker: 1 }],
  });
  expect(changes.map(({ tag, isBad = false }) => [tag, isBad])).toEqual([
    ['1 failed request', true],
    ['1 console error', true],
    ['1 dialog', false],
    ['1 download', false],
    ['1 popup', false],
  ]);
  expect(changes[0]).toMatchObject({ sentence: '9 requests, 1 of them failed.' });
  expect(changes[0]?.entries?.at(-1)).toBe('and 3 more');
  expect(changes.slice(1).map(({ entries }) => entries)).toEqual([
    ['log: fine', 'uncaught: Error: no'],
    ['confirm “Sure?”, dismissed'],
    ['r.csv (completed) from http://a.test/r.csv'],
    ['http://a.test/popup'],
  ]);
});

test('entries that started before and have ended since are described as such', () => {
  const entry = { method: 'GET', url: 'http://a.test/x', status: 200, type: 'XHR', marker: 1 };
  const words = (now: object): unknown => changesBetween(before, { ...before, ...now })[0]?.sentence;
  expect(words({ network: [entry] })).toBe('1 earlier request got its answer.');
  expect(words({ network: [entry, entry] })).toBe('2 earlier requests got their answers.');
  const counters = { ...before.counters, network: before.counters.network + 1 };
  expect(words({ counters, network: [entry, entry] })).toBe('1 request, 1 earlier one got its answer.');
  expect(words({ dialogs: [{ type: 'alert', message: 'Hm', marker: 1, accepted: true }] })).toBe(
    '1 earlier dialog was closed.',
  );
});

test('understands the evidence that the reference shows', () => {
  const shown = documentedEvents.filter((event) => event.type === 'evidence');
  expect(shown.length).toBeGreaterThan(0);
  for (const event of shown) expect(changesBetween(undefined, event)[0]?.tag).toBe('url');
});
