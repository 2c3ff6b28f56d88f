import { expect, test } from 'vitest';
import type { EpisodeResult } from '../../src/events/index.ts';
import { putSection } from './put-section.ts';
import { resultsTable } from './results-table.ts';

const result = (change: Partial<EpisodeResult>): EpisodeResult =>
  ({
    taskId: 'a',
    steps: 4,
    outcome: 'failed',
    success: false,
    wandering: wandering(0, null),
    ...change,
  }) as EpisodeResult;
const wandering = (loopedSteps: number, revisitedStateRatio: number | null) =>
  ({ loopedSteps, revisitedStateRatio }) as EpisodeResult['wandering'];
const usage = (totalTokens: number | null) => ({ totalTokens, costUsd: null }) as NonNullable<EpisodeResult['usage']>;

const cells = (results: EpisodeResult[]) =>
  resultsTable([{ agent: 'single', policy: 'oracle', results, oracleSteps: { a: 4, b: 10 } }])
    .split('\n')
    .at(-1)
    ?.slice(2, -2)
    .split(' | ');

test('counts ends apart from faults, and measures the path of those that arrived', () => {
  expect(
    cells([
      result({ outcome: 'passed', success: true, steps: 6, wandering: wandering(2, 0.5), usage: usage(100) }),
      result({ taskId: 'b', falselyClaimed: true, steps: 30, wandering: wandering(1, 0), usage: usage(50) }),
      result({ outcome: 'max_steps', usage: usage(0) }),
      result({ outcome: 'timeout', usage: usage(0) }),
      result({ outcome: 'server_error', usage: usage(0) }),
    ]),
  ).toEqual([
    ...['single', 'oracle', '1 of 5', '1', '1', '1', '1', '9.6', '1.50 ×', '3', '25 %', '150', 'unknown', '1'],
  ]);
});

test('one attempt whose tokens are unknown makes the sum unknown; without a model there are none', () => {
  const both = [result({ usage: usage(100) }), result({ usage: usage(null) })];
  expect(cells(both)?.[11]).toBe('unknown');
  const table = resultsTable([{ agent: 'scripted', policy: undefined, results: both, oracleSteps: {} }]);
  expect(table.split('\n').at(-1)).toContain('| – | – | 0 |');
});

test('a section is put between its markers, and what others wrote stays', () => {
  const once = putSection('# Results\n\n<!-- begin other -->\nx\n<!-- end other -->\n', 'mine', 'A');
  const twice = putSection(`${once}\nafter\n`, 'mine', 'B\n');
  expect(twice).toBe(
    '# Results\n\n<!-- begin other -->\nx\n<!-- end other -->\n\n<!-- begin mine -->\n\nB\n\n<!-- end mine -->\n\nafter\n',
  );
  expect(() => putSection('<!-- begin mine -->', 'mine', 'C')).toThrow('no "<!-- end mine -->" after it');
});
