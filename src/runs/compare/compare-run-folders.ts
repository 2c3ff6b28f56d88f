/** Compares runs: the first one is what the others are compared with. */
import { WaymarkError } from '../../errors/index.ts';
import { type Counting, compareSamples, type RunSample, type SampleComparison } from '../../metrics/index.ts';
import { type DivergedPair, divergedPairs } from './divergences.ts';
import { labelled, type ReadSample, readSamples } from './read-sample.ts';

export interface ComparedRuns {
  samples: RunSample[];
  comparisons: RunFolderComparison[];
}

export interface RunFolderComparison extends SampleComparison {
  /** The first trial of each case that one run passed and the other did not. */
  divergences: DivergedPair[];
  /** Further cases of that kind, which were not looked at. */
  divergencesLeftOut: number;
}

export interface CompareFolderOptions {
  counting?: Counting | undefined;
  /** The folder of checks that failed. */
  checks?: string | undefined;
}

const ALPHA = 0.05;

/**
 * @param places Folders of runs, and baseline files; the first is the baseline of the comparison.
 * @throws WaymarkError runs_not_comparable where two have no case and trial in common.
 */
export async function compareRunFolders(
  places: readonly string[],
  { counting, checks }: CompareFolderOptions = {},
): Promise<ComparedRuns> {
  return await compareRead(await readSamples(places, checks), { counting });
}

/** The one comparison: the command line and the web app both show what it finds. */
export async function compareRead(
  read: readonly ReadSample[],
  { counting }: Pick<CompareFolderOptions, 'counting'> = {},
): Promise<ComparedRuns> {
  const samples = read.map(({ sample }) => sample);
  const [first, ...others] = labelled(read);
  if (!first) return { samples, comparisons: [] };
  const comparisons: RunFolderComparison[] = [];
  for (const other of others) {
    assertComparable(first, other);
    // Several comparisons with one baseline share the error that one may have.
    const comparison = compareSamples(first.sample, other.sample, { counting, alpha: ALPHA / others.length });
    const { pairs, leftOut } = await divergedPairs(first, other);
    comparisons.push({ ...comparison, divergences: pairs, divergencesLeftOut: leftOut });
  }
  return { samples, comparisons };
}

function assertComparable({ sample: a }: ReadSample, { sample: b }: ReadSample): void {
  const ids = new Set(a.trials.map(({ caseId }) => caseId));
  if (a.kind === b.kind && b.trials.some(({ caseId }) => ids.has(caseId))) return;
  throw new WaymarkError({
    code: 'runs_not_comparable',
    message:
      a.kind === b.kind
        ? `The runs ${a.runId} and ${b.runId} have no case in common.`
        : `The run ${a.runId} is of ${a.kind}, the run ${b.runId} of ${b.kind}.`,
    hint: 'Compare runs of the same suite.',
  });
}
