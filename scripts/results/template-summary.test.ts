import { expect, test } from 'vitest';
import { templateSummary } from './template-summary.ts';

const task = (id: string, steps: number, solutions = 1) => ({
  task: { id },
  oracle: { moves: Array.from({ length: steps }, () => ({})) },
  solutions: Array.from({ length: solutions }, () => ({})),
  nearMisses: { 'one-more': {}, 'one-less': {} },
});

test('counts what the templates have, over all seeds', () => {
  const seeds = [
    { seed: 0, tasks: [task('a-s0', 3), task('b-s0', 5)] },
    { seed: 1, tasks: [task('a-s1', 4), task('b-s1', 5)] },
  ];
  expect(templateSummary(seeds)).toEqual({
    text: '2 templates with 2 seeds: 4 tasks, which have 4 other solutions and 8 near misses of their own. The oracles of one template differ by 1 step at most.',
    problems: [],
  });
});

test('names templates whose oracles differ more, and tasks without a second solution', () => {
  const seeds = [
    { seed: 0, tasks: [task('a-s0', 3, 0)] },
    { seed: 4, tasks: [task('a-s4', 5)] },
  ];
  expect(templateSummary(seeds).problems).toEqual([
    'a-s0 has no solution beside its oracle.',
    'The oracles of a have 3, 5 steps.',
  ]);
});
