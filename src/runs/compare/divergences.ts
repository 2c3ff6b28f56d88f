/** Where the trajectories of two runs part, for pairs that came to something else: the first of each case. */
import path from 'node:path';
import type { RunSample, SampledTrial } from '../../metrics/index.ts';
import { clip, type Divergence, firstDivergence, trajectoryOf } from '../../view/index.ts';
import { recordedCells } from '../folder/recorded-cells.ts';
import { readRunFile } from '../folder/run-file.ts';
import { questionResult } from '../question-result.ts';
import { wholeEventsIn } from '../recorded-attempts.ts';
import type { ReadSample } from './read-sample.ts';

export interface DivergedPair {
  caseId: string;
  trial: number;
  outcomes: { a: string; b: string };
  /** Of browser tasks. */
  divergence?: Divergence;
  /** Of questions. */
  answers?: { a: string | null; b: string | null };
  /** The attempts' folders. */
  folders: { a: string; b: string };
}

/** Cases whose divergence is looked for: a journal of each side is read for one. */
const MOST_PAIRS = 20;
const ANSWER = 2_000;

export async function divergedPairs(a: ReadSample, b: ReadSample): Promise<{ pairs: DivergedPair[]; leftOut: number }> {
  if (a.root === undefined || b.root === undefined) return { pairs: [], leftOut: 0 };
  const chosen = firstDiffering(a.sample, b.sample);
  const [foldersA, foldersB] = [foldersOf(a.root), foldersOf(b.root)];
  const pairs: DivergedPair[] = [];
  for (const { caseId, trial, outcomes } of chosen.slice(0, MOST_PAIRS)) {
    const key = JSON.stringify([caseId, trial]);
    const folders = { a: foldersA.get(key) ?? '', b: foldersB.get(key) ?? '' };
    const [ofA, ofB] = [await wholeEventsIn(folders.a), await wholeEventsIn(folders.b)];
    if (ofA.length === 0 || ofB.length === 0) continue;
    const answerIn = (events: typeof ofA): string | null => {
      const { answer, error } = questionResult({ caseId, attempt: 1, journal: '', events, grades: [] });
      return answer === null ? (error?.message ?? null) : clip(answer, ANSWER).text;
    };
    const found =
      a.sample.kind === 'questions'
        ? { answers: { a: answerIn(ofA), b: answerIn(ofB) } }
        : { divergence: firstDivergence(trajectoryOf(ofA), trajectoryOf(ofB)) };
    pairs.push({ caseId, trial, outcomes, folders, ...found });
  }
  return { pairs, leftOut: Math.max(0, chosen.length - MOST_PAIRS) };
}

/** One passed and the other did not. */
function firstDiffering(a: RunSample, b: RunSample): Pick<DivergedPair, 'caseId' | 'trial' | 'outcomes'>[] {
  const keyOf = ({ caseId, trial }: SampledTrial): string => JSON.stringify([caseId, trial]);
  const ofB = new Map(b.trials.map((trial) => [keyOf(trial), trial]));
  const seen = new Set<string>();
  return a.trials.flatMap((trial) => {
    const other = ofB.get(keyOf(trial));
    if (!other?.outcome || !trial.outcome || seen.has(trial.caseId)) return [];
    if ((trial.outcome === 'passed') === (other.outcome === 'passed')) return [];
    seen.add(trial.caseId);
    return [{ caseId: trial.caseId, trial: trial.trial, outcomes: { a: trial.outcome, b: other.outcome } }];
  });
}

function foldersOf(root: string): Map<string, string> {
  return new Map(
    recordedCells(root, readRunFile(root)).map(({ caseId, trial, folder }) => [
      JSON.stringify([caseId, trial]),
      path.join(root, folder),
    ]),
  );
}
