import { expect, test } from 'vitest';
import { answered, called, madeJournal, pictured, seen, stopped } from '../../test/support/made-journal.ts';
import { firstDivergence, trajectoryOf } from './divergence.ts';

type Made = Parameters<typeof madeJournal>[0][number];
const step = (callId: string, number: number, url: string, more: Parameters<typeof called>[3] = {}): Made[] => [
  called(callId, number, undefined, more),
  answered(callId),
  seen(url, undefined, callId),
  pictured(callId, number),
];
const path = (...events: Made[][]) => trajectoryOf(madeJournal([...events.flat(), stopped()]));
const home = step('c1', 1, 'http://a.test/', { arguments: { selector: '#home' } });

test('the first call that differs, with the pictures of both', () => {
  const a = path(home, step('c2', 2, 'http://a.test/cart', { arguments: { selector: '#cart' } }));
  const b = path(home, step('c2', 2, 'http://a.test/help', { arguments: { selector: '#help' } }));
  expect(firstDivergence(a, b)).toMatchObject({
    kind: 'action',
    step: 2,
    a: { step: { tool: 'click', brief: '#cart', url: 'http://a.test/cart' }, picture: 'screenshots/002.jpg' },
    b: { step: { brief: '#help' }, picture: 'screenshots/002.jpg' },
  });
});

test('the same action on two servers is the same, whatever the tool is called', () => {
  const canonical = { action: 'click', target: { selector: '#go' } };
  const a = path(step('c1', 1, 'http://a.test/', { tool: 'interact', arguments: { selector: '#go' }, canonical }));
  const b = path(step('c1', 1, 'http://a.test/', { tool: 'browser_click', arguments: { ref: 'e5' }, canonical }));
  expect(firstDivergence(a, b)).toMatchObject({ kind: 'none', step: 1 });
});

test('the same call with another result: an error, or another page', () => {
  const failing = madeJournal([called('c1', 1), answered('c1', undefined, { isError: true }), stopped()]);
  const fine = madeJournal([called('c1', 1), answered('c1'), stopped()]);
  expect(firstDivergence(trajectoryOf(failing), trajectoryOf(fine))).toMatchObject({ kind: 'error', step: 1 });
  const there = path(step('c1', 1, 'http://a.test/login'));
  expect(firstDivergence(path(step('c1', 1, 'http://a.test/')), there)).toMatchObject({ kind: 'url', step: 1 });
});

test('one that stops earlier shows its last picture and why it ended', () => {
  const divergence = firstDivergence(path(home), path(home, step('c2', 2, 'http://a.test/cart')));
  expect(divergence).toMatchObject({
    kind: 'end',
    step: 2,
    a: { step: null, picture: 'screenshots/001.jpg', end: expect.stringContaining('failed: The agent is done') },
    b: { step: { url: 'http://a.test/cart' } },
  });
});

test('calls of the harness and looks are no steps', () => {
  const look = called('c9', 0, undefined, { look: true });
  const begin = called('c0', 0, undefined, { by: 'harness' });
  expect(path([begin, answered('c0'), look, answered('c9')], home).steps).toHaveLength(1);
  expect(path([]).steps).toEqual([]);
  expect(firstDivergence(path([]), path([]))).toMatchObject({ kind: 'none', a: { step: null, picture: null } });
});
