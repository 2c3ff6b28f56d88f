/**
 * `npm run bench:statistics [-- --runs 200] [--seed 1] [--json]`: whether the verdicts of `waymark compare` can be relied on, by simulated runs whose
 * truth is known. Seeded: the same figures every time. Ends with 1 where a figure misses its goal.
 */
import { parseArgs } from 'node:util';
import {
  compareSamples,
  type RunSample,
  runStatistics,
  type SampledTrial,
  seededRandom,
  wilsonInterval,
} from '../src/metrics/index.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const random = seededRandom(Number(values.seed));

/** The fewest that a comparison takes. */
const resamples = 500;

interface Design {
  cases: number;
  trials: number;
}

interface Figure {
  name: string;
  design: Design;
  value: number;
  atLeast: number;
  /** Simulations: four times as many for coverage, whose goal is near. */
  of: number;
}

/** As suites are: a third always passes, a sixth never does, and the rest is flaky, each case in its own way. */
function flakyRates(cases: number): number[] {
  return Array.from({ length: cases }, (_, index) => (index % 6 < 2 ? 1 : index % 6 === 2 ? 0 : random()));
}

/** Room above and below, so that every case can gain 15 points. */
function middleRates(cases: number): number[] {
  return Array.from({ length: cases }, () => 0.2 + 0.6 * random());
}

function simulated(name: string, rates: readonly number[], trials: number, faults = 0.03): RunSample {
  const trialsOf = (rate: number, index: number): SampledTrial[] =>
    Array.from({ length: trials }, (_, at) => ({
      caseId: `case-${index + 1}`,
      trial: at + 1,
      outcome: random() < faults ? 'env_error' : random() < rate ? 'passed' : 'failed',
      attempt: 1,
      steps: 5,
      durationMs: 1_000,
      tokens: null,
      costUsd: null,
    }));
  return {
    runId: name,
    name,
    kind: 'tasks',
    startedAt: '2026-01-01T00:00:00.000Z',
    suite: { name: 'simulated', hash: 'h' },
    settings: {},
    versions: { waymark: '1.0.0' },
    notes: [],
    cases: rates.map((_, index) => ({ id: `case-${index + 1}`, tags: [`tag-${index % 4}`], contract: 'c' })),
    trials: rates.flatMap(trialsOf),
  };
}

function share(times: number, of: () => boolean): number {
  let held = 0;
  for (let run = 0; run < times; run++) if (of()) held++;
  return held / times;
}

const figures: Figure[] = [];
const measure = (
  name: string,
  design: Design,
  atLeast: number,
  of: (design: Design) => boolean,
  times = runs,
): void => {
  figures.push({ name, design, value: share(times, () => of(design)), atLeast, of: times });
};
/** Of 95 % intervals, less three standard errors of so many simulations. */
const coverage = (name: string, design: Design, of: (design: Design) => boolean): void => {
  const times = 4 * runs;
  measure(name, design, 0.95 - 3 * Math.sqrt((0.95 * 0.05) / times), of, times);
};

const ofEqual = ({ cases, trials }: Design) => {
  const rates = flakyRates(cases);
  return compareSamples(simulated('A', rates, trials), simulated('A again', rates, trials), { resamples });
};
for (const design of [
  { cases: 17, trials: 5 },
  { cases: 40, trials: 3 },
  { cases: 100, trials: 1 },
]) {
  measure('A/A: no difference', design, 0.95, (of) => ofEqual(of).overall.verdict === 'not_enough_evidence');
  measure('A/A: no regression, in any tag or case either', design, 0.95, (of) => ofEqual(of).regressions.length === 0);
}

const GAIN = 0.15;
const moved =
  (by: number) =>
  ({ cases, trials }: Design) => {
    const rates = middleRates(cases);
    const after = rates.map((rate) => rate + by);
    return compareSamples(simulated('A', rates, trials), simulated('B', after, trials), { resamples });
  };
for (const design of [
  { cases: 40, trials: 6 },
  { cases: 100, trials: 3 },
]) {
  measure('15 points better: found', design, 0.8, (of) => moved(GAIN)(of).overall.verdict === 'better');
  measure('15 points worse: found', design, 0.8, (of) => moved(-GAIN)(of).overall.verdict === 'worse');
  coverage('interval of the difference covers 15 points', design, (of) => {
    const { interval } = moved(GAIN)(of).overall.difference;
    return interval !== null && interval.low <= GAIN && GAIN <= interval.high;
  });
}

const few = { cases: 40, trials: 1 };
measure('trials that are called enough are enough', few, 0.7, ({ cases, trials }) => {
  const { moreTrials, overall } = moved(GAIN)({ cases, trials });
  if (overall.verdict === 'better') return true;
  return moved(GAIN)({ cases, trials: trials + Math.min(20, moreTrials ?? 20) }).overall.verdict === 'better';
});

coverage('interval of the pass rate over cases covers it', { cases: 60, trials: 4 }, ({ cases, trials }) => {
  const rates = Array.from({ length: cases }, () => random());
  const { interval } = runStatistics(simulated('A', rates, trials).trials).overCases;
  return interval !== null && interval.low <= 0.5 && 0.5 <= interval.high;
});
coverage('Wilson’s interval of one case’s pass rate covers it', { cases: 1, trials: 50 }, ({ trials }) => {
  const passed = simulated('A', [0.3], trials, 0).trials.filter(({ outcome }) => outcome === 'passed').length;
  const { low, high } = wilsonInterval(passed, trials);
  return low <= 0.3 && 0.3 <= high;
});

if (values.json) console.log(JSON.stringify({ runs, seed: Number(values.seed), figures }, null, 2));
else {
  console.log('| figure | cases × trials | simulations | share | goal |\n|---|---|---|---|---|');
  for (const { name, design, value, atLeast, of } of figures) {
    const goal = `at least ${(atLeast * 100).toFixed(1)} %: ${value >= atLeast ? 'reached' : 'MISSED'}`;
    console.log(`| ${name} | ${design.cases} × ${design.trials} | ${of} | ${(value * 100).toFixed(1)} % | ${goal} |`);
  }
}
process.exitCode = figures.every(({ value, atLeast }) => value >= atLeast) ? 0 : 1;
