/** The runs of one experiment together: what each came to, and every case in each of them. */
import { WaymarkError } from '../../errors/index.ts';
import {
  type OutcomeClass,
  type Rate,
  type RunSample,
  ratesOf,
  type SampledTrial,
  type Spread,
  spreadOf,
} from '../../metrics/index.ts';
import { type Tone, toneOf } from '../../view/index.ts';
import { cellId } from '../run-page-data.ts';
import type { AnyRun } from './any-run.ts';
import { listAnyRuns, type RunPlaces } from './list-any-runs.ts';
import type { SampleReader } from './sample-reader.ts';

export interface ExperimentView {
  label: string;
  /** Oldest first. */
  runs: ExperimentRun[];
  /** In the order in which the runs have them. */
  cases: ExperimentCase[];
  /** Older runs that are not shown. */
  leftOut: number;
}

export interface ExperimentRun {
  run: AnyRun;
  /** What was under test, with the models that were used. */
  name: string;
  strict: Rate;
  validOnly: Rate;
  steps: Spread;
  tokens: Total;
  costUsd: Total;
}

/** A sum over what is known; null where nothing is. */
export interface Total {
  sum: number | null;
  known: number;
  of: number;
}

export interface ExperimentCase {
  caseId: string;
  /** By the runs, in their order: the trials of the case. */
  trials: ExperimentTrial[][];
}

export interface ExperimentTrial {
  /** The id of the cell in addresses. */
  id: string;
  trial: number;
  outcome: OutcomeClass | 'not_finished';
  tone: Tone;
}

/** More columns could not be told apart. */
const MOST_RUNS = 24;

/** @throws WaymarkError not_found where no run is of the experiment. */
export async function readExperiment(places: RunPlaces, samples: SampleReader, label: string): Promise<ExperimentView> {
  const page = await listAnyRuns(places, { experiment: label }, { sort: 'created', order: 'desc', limit: MOST_RUNS });
  if (page.runs.length === 0)
    throw new WaymarkError({
      code: 'not_found',
      message: `No run is of the experiment ${label}.`,
      hint: 'Name it when a run is made: waymark run … --experiment <label>.',
    });
  const read: { run: AnyRun; sample: RunSample }[] = [];
  for (const run of page.runs.toReversed()) read.push({ run, sample: (await samples.read(run.id)).sample });
  return {
    label,
    runs: read.map(({ run, sample }) => experimentRun(run, sample)),
    cases: casesOf(read.map(({ sample }) => sample)),
    leftOut: page.total - page.runs.length,
  };
}

function experimentRun(run: AnyRun, { name, trials }: RunSample): ExperimentRun {
  const total = (amount: 'tokens' | 'costUsd'): Total => {
    const known = trials.flatMap((trial) => trial[amount] ?? []);
    const sum = known.length === 0 ? null : known.reduce((all, one) => all + one, 0);
    return { sum, known: known.length, of: trials.length };
  };
  return {
    run,
    name,
    ...ratesOf(trials),
    steps: spreadOf(trials, 'steps'),
    tokens: total('tokens'),
    costUsd: total('costUsd'),
  };
}

export function casesOf(samples: readonly Pick<RunSample, 'trials'>[]): ExperimentCase[] {
  const cases = new Map<string, ExperimentCase>();
  for (const [at, { trials }] of samples.entries())
    for (const [index, trial] of trials.entries()) {
      const known = cases.get(trial.caseId) ?? { caseId: trial.caseId, trials: samples.map(() => []) };
      cases.set(trial.caseId, known);
      known.trials[at]?.push(trialOf(trial, cellId(index)));
    }
  return [...cases.values()];
}

function trialOf({ trial, outcome }: SampledTrial, id: string): ExperimentTrial {
  return { id, trial, outcome: outcome ?? 'not_finished', tone: outcome === null ? 'open' : toneOf(outcome) };
}
