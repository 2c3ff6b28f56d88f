import { describe, expect, test } from 'vitest';
import { answered, called, madeJournal, rewarded, stopped } from '../../../test/support/made-journal.ts';
import type { JournalEvent } from '../../events/index.ts';
import { AXES, type ComputedAxes, computedAxes } from './performance-axes.ts';

const TASK = { maxDurationMs: 20_000 };

function axes(events: Parameters<typeof madeJournal>[0], oracleSteps?: number): Record<string, number> {
  return values(computedAxes(madeJournal(events), TASK, oracleSteps));
}

function values(computed: ComputedAxes): Record<string, number> {
  return Object.fromEntries(Object.entries(computed).map(([axis, { value }]) => [axis, value]));
}

const verdict = (is: 'pass' | 'fail' | 'inconclusive') =>
  ({ type: 'contract_eval', phase: 'final', verdict: is }) as const;
const reset = { type: 'reset' as const, ok: true, findings: [] as string[], durationMs: 1 };
const step = (number: number, more: { isError?: boolean } = {}) => [
  called(`c${number}`, number),
  answered(`c${number}`, undefined, more),
];

describe('the axes of performance', () => {
  test('have weights that sum to 1', () => {
    expect(Object.values(AXES).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  test('are computed from the journal, without the reasoning', () => {
    const passed = [reset, ...step(1), ...step(2), verdict('pass'), stopped({ status: 'passed', claimed: 'done' })];
    // 6 of 20 seconds: each event comes a second after the one before, from the reset on.
    expect(axes(passed, 2)).toEqual({ completion: 100, efficiency: 100, speed: 70, recovery: 100, autonomy: 100 });
    expect(axes(passed, 1)).toMatchObject({ efficiency: 50 });
  });

  test('ask for completion where the contract could not tell, or there was none', () => {
    expect(axes([...step(1), verdict('fail'), stopped()])).toMatchObject({ completion: 0 });
    expect(axes([...step(1), verdict('inconclusive'), stopped()])).not.toHaveProperty('completion');
    expect(axes([...step(1), stopped()])).not.toHaveProperty('completion');
  });

  test('have the share of steps that failed as efficiency where no solution is known', () => {
    expect(axes([...step(1), ...step(2, { isError: true }), ...step(3), ...step(4), stopped()])).toMatchObject({
      efficiency: 75,
    });
    expect(axes([stopped()])).toMatchObject({ efficiency: 0 });
  });

  test('have the share of failures that the agent got over as recovery', () => {
    const failed = [...step(1, { isError: true }), rewarded('c1', -0.5)];
    expect(axes([...failed, stopped()])).toMatchObject({ recovery: 0 });
    expect(axes([...failed, ...step(2), rewarded('c2', 0.5), stopped()])).toMatchObject({ recovery: 100 });
  });

  test.each<[string, Parameters<typeof stopped>[0], number]>([
    ['it said that it was done', { claimed: 'done' }, 100],
    ['it gave up', { claimed: 'gave_up' }, 0],
    ['its steps ran out', { status: 'max_steps' }, 0],
    ['its time ran out', { status: 'timeout' }, 0],
    ['it was stopped at a guarded action', { cause: 'guard' }, 0],
  ])('have its autonomy: %s', (_, stop, value) => {
    expect(axes([...step(1), stopped(stop)])).toMatchObject({ autonomy: value });
  });

  test('take off what the harness did in its place', () => {
    const events: JournalEvent[] = madeJournal([...step(1), ...step(2), stopped({ claimed: 'done' })]).map((event) =>
      event.type === 'tool_call' && event.callId === 'c2' ? { ...event, recovered: true } : event,
    );
    expect(values(computedAxes(events, TASK))).toMatchObject({ autonomy: 50 });
  });
});
