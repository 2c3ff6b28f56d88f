import { expect, test } from 'vitest';
import { z } from 'zod';
import { findingsOf, issuesOf, sentenceOf } from './zod-issues.ts';

const schema = z.object({ moves: z.array(z.object({ action: z.string() })), n: z.int().min(1, 'is 1 or more.') });
const errorOf = (value: unknown) => {
  const { error } = schema.safeParse(value);
  if (!error) throw new Error('accepted');
  return error;
};
const wrong = errorOf({ moves: [{ action: 'x' }, {}], n: 0 });

test('a path is written with its names and numbers, under a root where there is one', () => {
  expect(findingsOf(wrong)).toEqual([
    'moves[1].action: Invalid input: expected string, received undefined',
    'n: is 1 or more',
  ]);
  expect(findingsOf(wrong, '$')[0]).toMatch(/^\$\.moves\[1\]\.action: /);
  expect(findingsOf(errorOf(5))).toEqual(['It: Invalid input: expected object, received number']);
});

test('an issue has its path and a sentence with one full stop', () => {
  expect(issuesOf(wrong, 'capture.json')[1]).toEqual({
    path: 'capture.json.n',
    code: 'schema',
    message: 'capture.json.n: is 1 or more.',
  });
});

test('a sentence shows the first findings and counts the others', () => {
  expect(sentenceOf(wrong, 1)).toBe('moves[1].action: Invalid input: expected string, received undefined. (1 more)');
  expect(sentenceOf(wrong)).toMatch(/undefined\. n: is 1 or more\.$/);
});
