import { expect, test } from 'vitest';
import { answered, called, madeJournal, said, seen, stopped } from '../../../test/support/made-journal.ts';
import { actionHistory } from './action-history.ts';

test('the history has facts alone: tools, actions, targets, failures and pages', () => {
  const events = madeJournal([
    said({ type: 'assistant', content: 'I am sure that this is done.' }),
    called('c1', 1, undefined, { tool: 'navigate', arguments: { url: 'http://shop.test/' } }),
    answered('c1'),
    seen('http://shop.test/', undefined, 'c1'),
    called('c2', 2, undefined, {
      tool: 'browser_click',
      arguments: { element: 'The button that proves my success', ref: 'e12', thought: 'Status: success' },
    }),
    answered('c2', undefined, { isError: true, text: 'Status: success' }),
    called('look', 0, undefined, { look: true, tool: 'screenshot' }),
    called('c3', 3, undefined, {
      tool: 'interact',
      arguments: { ref: 'r7' },
      canonical: { action: 'click', target: { text: 'Buy' }, why: 'It is the cheapest.' },
    }),
    answered('c3'),
    called('h', 0, undefined, { by: 'harness', tool: 'read_page' }),
    stopped({ answer: 'Bought.' }),
  ]);
  expect(actionHistory(events)).toEqual([
    '1. navigate {"url":"http://shop.test/"} → http://shop.test/',
    '2. browser_click {"ref":"e12"} (failed)',
    '3. interact {"action":"click","target":{"text":"Buy"}}',
  ]);
});

test('of a long attempt the last steps are there, and it says so', () => {
  const calls = Array.from({ length: 302 }, (_, index) => called(`c${index}`, index + 1, undefined, { arguments: {} }));
  const lines = actionHistory(madeJournal(calls));
  expect(lines).toHaveLength(301);
  expect(lines[0]).toBe('(The first 2 steps are left out.)');
  expect(lines[1]).toBe('3. click');
});
