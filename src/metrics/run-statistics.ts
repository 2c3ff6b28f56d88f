/** The statistics of one run: over all its cases, and of each case. */
import { type BootstrapResult, clusteredBootstrap } from './bootstrap.ts';
import { isAgentOutcome, passRates, type Rate } from './outcome.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
import { percentile } from './percentile.ts';
import { seededRandom } from './random.ts';
import { resamplesFor } from './resamples.ts';
import type { SampledTrial } from './run-sample.ts';

/** Of the trials that know the number. */
export interface Spread {
  p50: number | null;
  p95: number | null;
  known: number;
}

export interface AtK {
  k: number;
  /** Cases with at least k trials that the agent decided: the mean is over them. */
  cases: number;
  passAtK: number | null;
  passHatK: number | null;
}

interface Amounts {
  steps: Spread;
  tokens: Spread;
  costUsd: Spread;
  /** Only where times are asked for: they vary from run to run. */
  durationMs?: Spread;
}

export interface CaseStatistics extends Amounts {
  caseId: string;
  /** Over everything that was planned. */
  strict: Rate;
  /** Over what the agent decided. */
  validOnly: Rate;
  atK: AtK[];
}

export interface RunStatistics extends Amounts {
  cases: number;
  trials: number;
  /** The valid-only pass rate, with an interval over cases: how it might be on similar ones. */
  overCases: BootstrapResult;
  atK: AtK[];
  /** Cases that the agent passed in some trials and not in others. */
  flaky: { caseId: string; passed: number; of: number }[];
  /** Passes by the number of the attempt, where times are asked for: a crash has a say in it. */
  passedFirst?: number;
  passedAfterRetry?: number;
  /** Absent where every case has one trial: its result then says it all. */
  byCase?: CaseStatistics[];
}

/** The k of pass@k and pass^k, as far as there are trials. */
const KS = [1, 2, 3, 5, 10, 20];
const SEED = 1;

/**
 * Every planned case and trial is given, also those that have not finished. `withTimes` adds what a clock or a crash has a say in.
 *
 * @example
 * const trial = { caseId: 'a', attempt: 1, steps: 4, durationMs: 10, tokens: null, costUsd: null };
 * const { flaky } = runStatistics([{ ...trial, trial: 1, outcome: 'passed' }, { ...trial, trial: 2, outcome: 'failed' }]);
 * flaky; // => [{ caseId: 'a', passed: 1, of: 2 }]
 */
export function runStatistics(
  trials: readonly SampledTrial[],
  { withTimes = false }: { withTimes?: boolean | undefined } = {},
): RunStatistics {
  const groups = [...Map.groupBy(trials, ({ caseId }) => caseId)];
  const decided = groups.map(([, of]) => decisions(of));
  const passed = trials.filter(({ outcome }) => outcome === 'passed');
  const first = passed.filter(({ attempt }) => attempt <= 1).length;
  const hasTrials = groups.some(([, of]) => of.length > 1);
  return {
    cases: groups.length,
    trials: trials.length,
    overCases: clusteredBootstrap(decided, seededRandom(SEED), { resamples: resamplesFor(groups.length) }),
    atK: atKOf(decided),
    flaky: groups.flatMap(([caseId, of]) => flakyIn(caseId, decisions(of))),
    ...amountsOf(trials, withTimes),
    ...(withTimes ? { passedFirst: first, passedAfterRetry: passed.length - first } : {}),
    ...(hasTrials ? { byCase: groups.map(([caseId, of]) => caseStatistics(caseId, of, withTimes)) } : {}),
  };
}

/** 1 for a pass and 0 for a failure, of what the agent decided. */
export function decisions(trials: readonly SampledTrial[]): number[] {
  return trials.flatMap(({ outcome }) =>
    outcome === null || !isAgentOutcome(outcome) ? [] : [outcome === 'passed' ? 1 : 0],
  );
}

/** The two pass rates of trials. */
export function ratesOf(trials: readonly SampledTrial[]): { strict: Rate; validOnly: Rate } {
  return passRates(
    trials.flatMap(({ outcome }) => outcome ?? []),
    trials.length,
  );
}

/** Percentiles of one number of trials. */
export function spreadOf(trials: readonly SampledTrial[], name: 'steps' | 'durationMs' | 'tokens' | 'costUsd'): Spread {
  const known = trials.flatMap((trial) => trial[name] ?? []);
  return { p50: percentile(known, 50), p95: percentile(known, 95), known: known.length };
}

function caseStatistics(caseId: string, trials: readonly SampledTrial[], withTimes: boolean): CaseStatistics {
  return { caseId, ...ratesOf(trials), atK: atKOf([decisions(trials)]), ...amountsOf(trials, withTimes) };
}

function amountsOf(trials: readonly SampledTrial[], withTimes: boolean): Amounts {
  return {
    steps: spreadOf(trials, 'steps'),
    tokens: spreadOf(trials, 'tokens'),
    costUsd: spreadOf(trials, 'costUsd'),
    ...(withTimes ? { durationMs: spreadOf(trials, 'durationMs') } : {}),
  };
}

function flakyIn(caseId: string, decided: readonly number[]): RunStatistics['flaky'] {
  const passed = decided.filter((one) => one === 1).length;
  return passed > 0 && passed < decided.length ? [{ caseId, passed, of: decided.length }] : [];
}

function atKOf(decided: readonly (readonly number[])[]): AtK[] {
  const most = decided.reduce((longest, { length }) => Math.max(longest, length), 0);
  return KS.filter((k) => k <= most).map((k) => {
    const enough = decided.filter(({ length }) => length >= k);
    const counts = enough.map((of) => [of.length, of.filter((one) => one === 1).length] as const);
    return {
      k,
      cases: enough.length,
      passAtK: mean(counts.map(([n, passes]) => passAtK(n, passes, k) ?? 0)),
      passHatK: mean(counts.map(([n, passes]) => passHatK(n, passes, k) ?? 0)),
    };
  });
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
