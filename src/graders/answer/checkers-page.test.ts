import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Checker, checkerSchema } from '../../cases/schemas.ts';
import { checkAnswer } from './check-answer.ts';

const page = readFileSync(new URL('../../../docs/reference/checkers.md', import.meta.url), 'utf8');

type Example = [Checker, unknown, string, string];
const examples = [...page.matchAll(/^```json examples\n([\s\S]*?)^```$/gm)].flatMap(
  ([, block]) => JSON.parse(block ?? '') as Example[],
);

test.each(examples)('docs: %j, %j, %j is a %s', (checker, expected, response, verdict) => {
  expect(checkAnswer({ checker: checkerSchema.parse(checker), expected }, response).verdict).toBe(verdict);
});

test('the page has an example of each kind that reads one value or a list', () => {
  const kinds = new Set(examples.map(([{ kind }]) => kind));
  expect(
    ['url', 'date', 'currency', 'duration', 'distance', 'list', 'json'].filter(
      (kind) => !kinds.has(kind as Checker['kind']),
    ),
  ).toEqual([]);
});
