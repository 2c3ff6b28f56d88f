import { describe, expect, it } from 'vitest';
import type { OutcomeClass } from './outcome.ts';
import type { SampledTrial } from './run-sample.ts';
import { runStatistics } from './run-statistics.ts';

const trialOf = (caseId: string, trial: number, outcome: OutcomeClass | null, more: Partial<SampledTrial> = {}) => ({
  caseId,
  trial,
  outcome,
  attempt: 1,
  steps: trial,
  durationMs: 1000 * trial,
  tokens: null,
  costUsd: null,
  ...more,
});
const trialsOf = (caseId: string, ...outcomes: (OutcomeClass | null)[]) =>
  outcomes.map((outcome, index) => trialOf(caseId, index + 1, outcome));

describe('runStatistics', () => {
  const trials = [
    ...trialsOf('steady', 'passed', 'passed', 'passed'),
    ...trialsOf('flaky', 'passed', 'failed', 'max_steps'),
    ...trialsOf('faulty', 'passed', 'env_error', null),
  ];
  const statistics = runStatistics(trials, { withTimes: true });

  it('a case is flaky by what the agent decided: faults and open trials make none', () => {
    expect(statistics.flaky).toEqual([{ caseId: 'flaky', passed: 1, of: 3 }]);
  });

  it('pass@k and pass^k are means over the cases that have k decided trials', () => {
    const [one, two, three] = statistics.atK;
    expect([one?.cases, two?.cases, three?.cases, statistics.atK.length]).toEqual([3, 2, 2, 3]);
    expect(one?.passAtK).toBeCloseTo((1 + 1 / 3 + 1) / 3, 12);
    expect(two?.passAtK).toBeCloseTo((1 + 2 / 3) / 2, 12);
    expect([two?.passHatK, three?.passAtK, three?.passHatK]).toEqual([0.5, 1, 0.5]);
  });

  it('each case has both rates with their denominators', () => {
    const faulty = statistics.byCase?.find(({ caseId }) => caseId === 'faulty');
    expect(faulty).toMatchObject({ strict: { passed: 1, of: 3 }, validOnly: { passed: 1, of: 1, rate: 1 } });
  });

  it('unknown numbers are counted as unknown, and never as zero', () => {
    expect(statistics.tokens).toEqual({ p50: null, p95: null, known: 0 });
    expect(statistics.steps).toEqual({ p50: 2, p95: 3, known: 9 });
    const some = runStatistics([trialOf('a', 1, 'passed', { costUsd: 0.5 }), trialOf('b', 1, 'passed')]);
    expect(some.costUsd).toEqual({ p50: 0.5, p95: 0.5, known: 1 });
  });

  it('passes in the first attempt and after a retry are apart', () => {
    const again = [trialOf('a', 1, 'passed'), trialOf('b', 1, 'passed', { attempt: 3 }), trialOf('c', 1, 'failed')];
    expect(runStatistics(again, { withTimes: true })).toMatchObject({ passedFirst: 1, passedAfterRetry: 1 });
  });

  it('has nothing that a clock or a crash has a say in, unless it is asked for', () => {
    const other = trials.map((trial) => ({ ...trial, durationMs: 7, attempt: 2 }));
    expect(runStatistics(other)).toEqual(runStatistics(trials));
  });

  it('one trial per case gives no table of cases', () => {
    expect(runStatistics([trialOf('a', 1, 'passed'), trialOf('b', 1, 'failed')]).byCase).toBeUndefined();
  });

  it('nothing at all gives no numbers', () => {
    expect(runStatistics([])).toMatchObject({ cases: 0, overCases: { estimate: null, interval: null }, atK: [] });
  });
});
