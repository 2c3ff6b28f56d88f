import { describe, expect, test } from 'vitest';
import type { RubricCriterion } from '../../cases/schemas.ts';
import { parseCriteria, parseScores } from './parse-rubric.ts';
import { type CriterionScore, rubricScore } from './rubric-score.ts';

const criteria: RubricCriterion[] = [
  { id: 'searched', description: 'Searched the site.', about: 'process', weight: 2 },
  { id: 'bought', description: 'Bought the lamp.', about: 'outcome', weight: 6, required: true },
  { id: 'told', description: 'Told the price.', about: 'outcome', weight: 2 },
];

function scored(searched: number, bought: number, told: number, outside: readonly string[] = []) {
  const rows = Object.entries({ searched, bought, told }).map(([id, score]): [string, CriterionScore] => [
    id,
    { id, score, reason: '', outsideControl: outside.includes(id) },
  ]);
  return rubricScore(criteria, new Map(rows), 0.8);
}

describe('a rubric', () => {
  test('passes at 0.8 by weight, with what is required', () => {
    expect(scored(1, 1, 0)).toMatchObject({ passed: true, score: 0.8, process: 1, outcome: 0.75, missing: [] });
    expect(scored(0.9, 1, 0)).toMatchObject({ passed: false, score: 0.78, process: 0.9 });
    expect(scored(1, 0.7, 1)).toMatchObject({ passed: false, score: 0.82, missing: ['bought'] });
  });

  test('names apart what was outside of control: it does not count for the process, and does not make a pass', () => {
    expect(scored(0, 1, 1, ['searched'])).toMatchObject({ process: null, outsideControl: ['searched'] });
    expect(scored(1, 0, 1, ['bought'])).toMatchObject({
      passed: false,
      score: 0.4,
      process: 1,
      outcome: 0.25,
      outsideControl: ['bought'],
      passedOtherwise: true,
    });
    expect(scored(0, 0, 1, ['bought'])).toMatchObject({ passed: false, passedOtherwise: false });
  });

  test('does not call outside of control what was met', () => {
    expect(scored(1, 1, 1, ['bought'])).toMatchObject({ passed: true, outsideControl: [] });
  });
});

describe('scores of a judge', () => {
  const score = (id: string, value: unknown = 1) => ({ id, score: value, reason: 'So.', outside_control: false });
  const reply = (...scores: unknown[]) => JSON.stringify({ scores });

  test('are read when each criterion has exactly one', () => {
    const scores = parseScores(reply(score('told'), score('searched', 0.5), score('bought')), criteria);
    expect(scores?.get('searched')).toEqual({ id: 'searched', score: 0.5, reason: 'So.', outsideControl: false });
  });

  test.each([
    ['nothing', ''],
    ['text', 'All criteria are met.'],
    ['one left out', reply(score('told'), score('searched'))],
    ['one twice', reply(score('told'), score('searched'), score('searched'))],
    ['one too many', reply(score('told'), score('searched'), score('bought'), score('more'))],
    ['a score beyond 1', reply(score('told', 2), score('searched'), score('bought'))],
    ['a score as text', reply(score('told', '1'), score('searched'), score('bought'))],
    ['JSON inside of text', `Here: ${reply(score('told'), score('searched'), score('bought'))}`],
  ])('are none: %s', (_, text) => {
    expect(parseScores(text, criteria)).toBeUndefined();
  });
});

describe('criteria of a judge', () => {
  const [process, outcome] = criteria;
  test('are read, with names in one form and without further fields', () => {
    expect(parseCriteria(JSON.stringify({ criteria }))).toEqual(criteria);
    const loose = { criteria: [{ ...outcome, id: 'Item: in Cart!', points: 3 }] };
    expect(parseCriteria(JSON.stringify(loose))).toEqual([{ ...outcome, id: 'item-in-cart' }]);
  });

  test.each([
    ['none', { criteria: [] }],
    ['two of one id', { criteria: [outcome, outcome] }],
    ['nothing about the outcome', { criteria: [process] }],
    ['an empty name', { criteria: [{ ...outcome, id: '!' }] }],
    ['no weight', { criteria: [{ ...outcome, weight: 0 }] }],
  ])('are not used: %s', (_, said) => {
    expect(parseCriteria(JSON.stringify(said))).toBeUndefined();
  });
});
