import { expect, test } from 'vitest';
import { locatorOf, neededLocator } from './locator.ts';

test('one locator is taken from the arguments', () => {
  expect(locatorOf({ ref: 'a1' })).toEqual({ ref: 'a1' });
  expect(locatorOf({ selector: '#a', nth: 2 })).toEqual({ selector: '#a', nth: 2 });
  expect(locatorOf({ role: 'button', name: 'Go', exact: true })).toMatchObject({
    role: 'button',
    name: 'Go',
    exact: true,
  });
  expect(locatorOf({ text: 'Go' })).toMatchObject({ text: 'Go' });
  expect(locatorOf({})).toBeUndefined();
});

test('two of them, a name alone, and none where one is needed are refused', () => {
  expect(() => locatorOf({ ref: 'a1', text: 'Go' })).toThrow('The element is named twice, by ref and text.');
  expect(() => locatorOf({ name: 'Go' })).toThrow('A name was given without a role.');
  expect(() => neededLocator({}, 'a control')).toThrow('This needs a control.');
});
