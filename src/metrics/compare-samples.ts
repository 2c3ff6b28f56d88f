/** Two runs side by side: over everything, by case, by tag, by outcome class, with what differs between the two. */
import { counted, someOf } from '../errors/index.ts';
import { type BootstrapResult, type Pair, pairedBootstrap } from './bootstrap.ts';
import { type ClaimArm, type ClaimEligibility, claimEligibility } from './claim.ts';
import { type Comparison, comparePairs } from './compare.ts';
import { aaNoiseFloor } from './noise-floor.ts';
import { isAgentOutcome, type OutcomeClass, type Rate } from './outcome.ts';
import { seededRandom } from './random.ts';
import { resamplesFor } from './resamples.ts';
import type { RunSample, SampledTrial } from './run-sample.ts';
import { ratesOf, type Spread, spreadOf } from './run-statistics.ts';

/** `valid`: pairs that the agent decided in both runs. `strict`: every pair that both planned; a fault is not a pass. */
export type Counting = 'valid' | 'strict';

export interface ComparedGroup {
  name: string;
  a: Rate;
  b: Rate;
  comparison: Comparison;
  /** More trials of each case that would settle it; null where none was observed to be different. */
  moreTrials: number | null;
  claim: ClaimEligibility;
}

export interface ComparedArm {
  runId: string;
  name: string;
  startedAt: string;
  strict: Rate;
  validOnly: Rate;
}

export interface SampleComparison {
  a: ComparedArm;
  b: ComparedArm;
  counting: Counting;
  /** Of the intervals: 0.95 for the whole, shared among the rows of a table. */
  confidence: { suite: number; tags: number; cases: number };
  overall: Comparison;
  moreTrials: number | null;
  /** What two runs of the same variant would differ by; null where no case has two trials. */
  noiseFloor: number | null;
  /** Where no pair differs: the share of cases that might differ without being noticed. Otherwise null. */
  undetected: number | null;
  claim: ClaimEligibility;
  /** Cases and trials that are not in the comparison. */
  unpaired: { onlyA: number; onlyB: number; notDecided: number };
  outcomes: { outcome: OutcomeClass | 'not_finished'; a: number; b: number }[];
  /** Pairs whose outcome class differs, most first. */
  changes: { a: OutcomeClass | 'not_finished'; b: OutcomeClass | 'not_finished'; pairs: number }[];
  cases: ComparedGroup[];
  tags: ComparedGroup[];
  amounts: { name: AmountName; a: Spread; b: Spread; difference: BootstrapResult }[];
  /** What is not the same in both. */
  differences: { name: string; a: string | null; b: string | null }[];
  /** Where B is worse: the whole suite, tags and cases by their names. */
  regressions: { scope: Scope; name: string }[];
}

type Scope = 'suite' | 'tag' | 'case';

const AMOUNTS = ['steps', 'durationMs', 'tokens', 'costUsd'] as const;
export type AmountName = (typeof AMOUNTS)[number];

export interface CompareOptions {
  counting?: Counting | undefined;
  /** Of the whole comparison; default 0.05. Divided among the rows of a table, so that many rows do not find something by chance. */
  alpha?: number | undefined;
  /** Default: by the number of pairs. */
  resamples?: number | undefined;
}

interface TrialPair {
  caseId: string;
  a: SampledTrial;
  b: SampledTrial;
}

const SEED = 1;

/** B against A, paired by case and trial. The same two samples always give the same numbers. */
export function compareSamples(a: RunSample, b: RunSample, options: CompareOptions = {}): SampleComparison {
  const { counting = 'valid', alpha = 0.05 } = options;
  const both = pairsOf(a, b);
  const counted = counting === 'strict' ? both : both.filter((pair) => isDecided(pair.a) && isDecided(pair.b));
  const { resamples = resamplesFor(counted.length) } = options;
  const context = { a, b, resamples };
  const byCase = Map.groupBy(counted, ({ caseId }) => caseId);
  const byTag = tagged(counted, a, b);
  const shared = (rows: number): number => alpha / Math.max(1, rows);
  const [tagAlpha, caseAlpha] = [shared(byTag.size), shared(byCase.size)];
  const tags = [...byTag].map(([name, pairs]) => groupOf('tag', name, pairs, context, tagAlpha));
  const cases = [...byCase].map(([name, pairs]) => groupOf('case', name, pairs, context, caseAlpha));
  const whole = groupOf('suite', a.suite.name, counted, context, alpha);
  const isDifferent = whole.comparison.mcnemar.informative > 0;
  return {
    a: armOf(a),
    b: armOf(b),
    counting,
    confidence: { suite: 1 - alpha, tags: 1 - tagAlpha, cases: 1 - caseAlpha },
    overall: whole.comparison,
    moreTrials: whole.moreTrials,
    noiseFloor: noiseIn(counted, resamples),
    undetected: isDifferent || byCase.size === 0 ? null : 1 - alpha ** (1 / byCase.size),
    claim: whole.claim,
    unpaired: {
      onlyA: a.trials.length - both.length,
      onlyB: b.trials.length - both.length,
      notDecided: both.length - counted.length,
    },
    ...outcomesOf(a, b, both),
    cases,
    tags,
    amounts: AMOUNTS.map((name) => ({
      name,
      a: spreadOf(a.trials, name),
      b: spreadOf(b.trials, name),
      difference: pairedBootstrap(amountPairs(both, name), seededRandom(SEED), { resamples }),
    })),
    differences: differencesOf(a, b),
    regressions: [
      ...(whole.comparison.verdict === 'worse' ? [{ scope: 'suite' as const, name: a.suite.name }] : []),
      ...tags.filter(isWorse).map(({ name }) => ({ scope: 'tag' as const, name })),
      ...cases.filter(isWorse).map(({ name }) => ({ scope: 'case' as const, name })),
    ],
  };
}

function isWorse({ comparison }: ComparedGroup): boolean {
  return comparison.verdict === 'worse';
}

function pairsOf(a: RunSample, b: RunSample): TrialPair[] {
  const keyOf = ({ caseId, trial }: SampledTrial): string => JSON.stringify([caseId, trial]);
  const ofB = new Map(b.trials.map((trial) => [keyOf(trial), trial]));
  return a.trials.flatMap((trial) => {
    const other = ofB.get(keyOf(trial));
    return other ? [{ caseId: trial.caseId, a: trial, b: other }] : [];
  });
}

function isDecided({ outcome }: SampledTrial): boolean {
  return outcome !== null && isAgentOutcome(outcome);
}

function tagged(pairs: readonly TrialPair[], a: RunSample, b: RunSample): Map<string, TrialPair[]> {
  const tagsOf = new Map<string, ReadonlySet<string>>();
  const ofB = new Map(b.cases.map(({ id, tags }) => [id, tags]));
  for (const { id, tags } of a.cases) tagsOf.set(id, new Set([...tags, ...(ofB.get(id) ?? [])]));
  const byTag = new Map<string, TrialPair[]>();
  for (const pair of pairs)
    for (const tag of tagsOf.get(pair.caseId) ?? []) {
      const group = byTag.get(tag);
      if (group) group.push(pair);
      else byTag.set(tag, [pair]);
    }
  return byTag;
}

interface Context {
  a: RunSample;
  b: RunSample;
  resamples: number;
}

function groupOf(
  scope: Scope,
  name: string,
  pairs: readonly TrialPair[],
  { a, b, resamples }: Context,
  alpha: number,
): ComparedGroup {
  const noiseFloor = noiseIn(pairs, resamples) ?? undefined;
  const comparison = comparePairs(pairs.map(passes), seededRandom(SEED), { alpha, noiseFloor, resamples });
  const caseIds = new Set(pairs.map(({ caseId }) => caseId));
  const more = comparison.morePairsNeeded;
  return {
    name,
    a: ratesOf(pairs.map((pair) => pair.a)).strict,
    b: ratesOf(pairs.map((pair) => pair.b)).strict,
    comparison,
    // Planning numbers are approximate: where they say that there are enough, the verdict still asks for more.
    moreTrials:
      comparison.verdict !== 'not_enough_evidence' || more === null
        ? null
        : Math.max(1, Math.ceil(more / caseIds.size)),
    claim: claimOf(scope, pairs.length, caseIds, [a, b]),
  };
}

function passes({ caseId, a, b }: TrialPair): Pair {
  return { task: caseId, a: a.outcome === 'passed' ? 1 : 0, b: b.outcome === 'passed' ? 1 : 0 };
}

/** The larger of the two runs' own noise: a steady variant says nothing about the noise of the other. */
function noiseIn(pairs: readonly TrialPair[], resamples: number): number | null {
  const groups = [...Map.groupBy(pairs, ({ caseId }) => caseId).values()];
  const floors = (['a', 'b'] as const).flatMap((side) => {
    const trials = groups.map((group) => group.map((pair) => (pair[side].outcome === 'passed' ? 1 : 0)));
    return aaNoiseFloor(trials, seededRandom(SEED), { resamples }).floor ?? [];
  });
  return floors.length === 0 ? null : Math.max(...floors);
}

function claimOf(
  scope: Scope,
  samples: number,
  caseIds: ReadonlySet<string>,
  runs: readonly RunSample[],
): ClaimEligibility {
  // A case that was planned in both, and that one of them never began, is in no pair: its contract is not another one.
  const unknown = new Set(
    runs.flatMap(({ cases }) => cases.flatMap(({ id, contract }) => (contract === null ? [id] : []))),
  );
  const arms = runs.map(({ name, versions, cases }): ClaimArm => {
    const own = cases.filter(({ id }) => !unknown.has(id) && (scope === 'suite' || caseIds.has(id)));
    const contracts = Object.fromEntries(own.map(({ id, contract }) => [id, contract ?? '']));
    return { name, samples, versions, contracts };
  });
  const { reasons } = claimEligibility(scope === 'case' ? 'task' : 'suite', arms);
  const all = [
    ...reasons,
    ...failedChecks(caseIds, runs),
    ...runs.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`)),
  ];
  return { eligible: all.length === 0, label: all.length === 0 ? 'headline' : 'diagnostic', reasons: all };
}

/** A task that is not sound measures nothing, whichever runs are compared by it. */
function failedChecks(caseIds: ReadonlySet<string>, runs: readonly RunSample[]): string[] {
  const failed = new Map(
    runs.flatMap(({ cases }) =>
      cases.flatMap(({ id, failedCheck }) => (failedCheck && caseIds.has(id) ? [[id, failedCheck] as const] : [])),
    ),
  );
  if (failed.size === 0) return [];
  const named = [...failed].map(([id, rules]) => `${id} (${rules.join(', ')})`);
  return [`${counted(failed.size, 'task')} failed waymark check: ${someOf(named)}.`];
}

function armOf({ runId, name, startedAt, trials }: RunSample): ComparedArm {
  return { runId, name, startedAt, ...ratesOf(trials) };
}

function outcomesOf(
  a: RunSample,
  b: RunSample,
  both: readonly TrialPair[],
): Pick<SampleComparison, 'outcomes' | 'changes'> {
  const nameOf = ({ outcome }: SampledTrial): OutcomeClass | 'not_finished' => outcome ?? 'not_finished';
  const names = new Set([...a.trials, ...b.trials].map(nameOf));
  const count = (run: RunSample, name: string): number => run.trials.filter((trial) => nameOf(trial) === name).length;
  const changed = Map.groupBy(
    both.filter((pair) => nameOf(pair.a) !== nameOf(pair.b)),
    (pair) => `${nameOf(pair.a)} ${nameOf(pair.b)}`,
  );
  return {
    outcomes: [...names].map((outcome) => ({ outcome, a: count(a, outcome), b: count(b, outcome) })),
    changes: [...changed.values()]
      .flatMap((pairs) => {
        const [first] = pairs;
        return first ? [{ a: nameOf(first.a), b: nameOf(first.b), pairs: pairs.length }] : [];
      })
      .sort((x, y) => y.pairs - x.pairs),
  };
}

function amountPairs(pairs: readonly TrialPair[], name: AmountName): Pair[] {
  return pairs.flatMap(({ caseId, a, b }) => {
    const [ofA, ofB] = [a[name], b[name]];
    return ofA === null || ofB === null ? [] : [{ task: caseId, a: ofA, b: ofB }];
  });
}

function differencesOf(a: RunSample, b: RunSample): SampleComparison['differences'] {
  const all = (run: RunSample): Record<string, string> => ({
    suite: run.suite.name,
    'hash of the suite': run.suite.hash,
    ...run.settings,
    ...Object.fromEntries(Object.entries(run.versions).map(([name, version]) => [`version of ${name}`, version])),
  });
  const [ofA, ofB] = [all(a), all(b)];
  const value = (of: Record<string, string>, name: string): string | null =>
    Object.hasOwn(of, name) ? (of[name] ?? null) : null;
  return [...new Set([...Object.keys(ofA), ...Object.keys(ofB)])]
    .map((name) => ({ name, a: value(ofA, name), b: value(ofB, name) }))
    .filter((row) => row.a !== row.b);
}
