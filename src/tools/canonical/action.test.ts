import { expect, test } from 'vitest';
import { CanonicalAction } from './action.ts';

const problems = (given: unknown): string[] => {
  const parsed = CanonicalAction.safeParse(given);
  return parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
};

test.each([
  {
    action: 'click',
    target: { selector: '#a >>> b' },
    button: 'right',
    clickCount: 2,
    modifiers: ['Shift'],
    offset: [1, 2],
  },
  { action: 'type', text: '' },
  { action: 'drag', target: { role: 'slider', name: 'Volume' }, to: { at: [10, 20] } },
  { action: 'wait', text: 'Done', gone: true },
  { action: 'tab', operation: 'select', url: '/popup' },
])('%j is an action', (given) => expect(problems(given)).toEqual([]));

test.each([
  [{ action: 'click' }, /expected object/],
  [{ action: 'click', target: {} }, /exactly one of selector, role/],
  [{ action: 'click', target: { selector: '#a', text: 'b' } }, /exactly one of/],
  [{ action: 'click', target: { name: 'x', text: 'b' } }, /name goes with role/],
  [{ action: 'click', target: { selector: '#a', exact: true } }, /exact goes with/],
  [{ action: 'click', target: { selector: '#a' }, force: true }, /Unrecognized key: "force"/],
  [{ action: 'wait' }, /exactly one of text, selector, url and ms/],
  [{ action: 'wait', ms: 5, gone: true }, /gone goes with/],
  [{ action: 'jump' }, /Invalid (input|discriminator)/],
])('%j is refused', (given, message) => expect(problems(given).join('; ')).toMatch(message));
