import { expect, test } from 'vitest';
import { parsePlaywrightSnapshot } from './parse-playwright-snapshot.ts';
import { PlanEnd } from './plan.ts';
import { findInSnapshot } from './snapshot.ts';
import type { Target } from './target.ts';

const PAGE = parsePlaywrightSnapshot(`
- heading "Sign up" [ref=e1]
- generic [ref=e2]: Name
- textbox "Name" [ref=e3]
- textbox "Name of your dog" [ref=e4]
- button "Sign up" [ref=e5]
- link "Terms of use" [ref=e6]:
  - generic [ref=e7]: Terms
- button "Delete A" [ref=e8]
- button "Delete B" [ref=e9]
- listitem [ref=e10]:
  - generic [ref=e11]: One
- img "Board" [ref=e12]
- option "Basic"
`);
const find = (target: Target) => findInSnapshot(PAGE, target).ref;
const end = (target: Target) => {
  try {
    return find(target);
  } catch (error) {
    return error instanceof PlanEnd ? error.end : error;
  }
};

test.each<[Target, string]>([
  [{ role: 'button', name: 'Sign up' }, 'e5'],
  [{ role: 'textbox', name: 'Name' }, 'e3'],
  [{ role: 'textbox', name: 'dog' }, 'e4'],
  [{ role: 'heading' }, 'e1'],
  [{ role: 'image', name: 'Board' }, 'e12'],
  [{ role: 'button', name: 'delete', nth: 2 }, 'e9'],
  // What can be acted on comes before what only says the words.
  [{ text: 'Sign up' }, 'e5'],
  [{ text: 'Name', exact: true }, 'e3'],
  // The link around the word.
  [{ text: 'Terms' }, 'e6'],
  [{ text: 'One' }, 'e11'],
])('%j is %s', (target, ref) => expect(find(target)).toBe(ref));

test('none, several, too few, and one without a ref end the plan with a sentence', () => {
  expect(end({ role: 'button', name: 'Nope' })).toEqual({
    status: 'failed',
    kind: 'element_not_found',
    sentence: 'There is no button "Nope" in the server\'s snapshot of the page.',
  });
  expect(end({ role: 'button', name: 'Delete' })).toMatchObject({ kind: 'ambiguous' });
  expect(end({ role: 'button', name: 'Sign', exact: true })).toMatchObject({ kind: 'element_not_found' });
  expect(end({ role: 'button', name: 'Delete', nth: 3 })).toMatchObject({
    sentence: 'There are 2 of button "Delete", and number 3 was requested.',
  });
  expect(end({ role: 'option', name: 'Basic' })).toMatchObject({ kind: 'element_not_found' });
});
