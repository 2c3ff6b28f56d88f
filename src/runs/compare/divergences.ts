/** Where the trajectories of two runs part, for pairs that came to something else: the first of each case. */
import path from 'node:path';
import type { Cell } from '../../events/index.ts';
import type { RunSample } from '../../metrics/index.ts';
import { clip, type Divergence, firstDivergence, trajectoryOf } from '../../view/index.ts';
import type { RecordedCell } from '../folder/recorded-cells.ts';
import { questionResult } from '../question-result.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { cellId } from '../run-page-data.ts';
import type { ReadSample } from './read-sample.ts';

export interface DivergedPair {
  caseId: string;
  trial: number;
  outcomes: { a: string; b: string };
  /** Of browser tasks. */
  divergence?: Divergence;
  /** Of questions. */
  answers?: { a: string | null; b: string | null };
  /** The attempts' folders, where the runs have one. */
  folders: { a: string; b: string };
  /** The cells' ids in addresses. */
  ids: { a: string; b: string };
}

/** Cases whose divergence is looked for: a journal of each side is read for one. */
const MOST_PAIRS = 20;
const ANSWER = 2_000;

export async function divergedPairs(a: ReadSample, b: ReadSample): Promise<{ pairs: DivergedPair[]; leftOut: number }> {
  if (!a.run || !b.run) return { pairs: [], leftOut: 0 };
  const chosen = firstOfCases(discordantPairs(a.sample, b.sample));
  const [sideA, sideB] = [await sideOf(a.run), await sideOf(b.run)];
  const pairs: DivergedPair[] = [];
  for (const { caseId, trial, outcomes } of chosen.slice(0, MOST_PAIRS)) {
    const [atA, atB] = [sideA.find({ caseId, trial }), sideB.find({ caseId, trial })];
    if (!atA || !atB) continue;
    const [ofA, ofB] = [await a.run.events(atA.cell), await b.run.events(atB.cell)];
    if (ofA.length === 0 || ofB.length === 0) continue;
    const folders = { a: sideA.folderOf(atA.cell), b: sideB.folderOf(atB.cell) };
    const ids = { a: atA.id, b: atB.id };
    const answerIn = (events: typeof ofA): string | null => {
      const { answer, error } = questionResult({ caseId, attempt: 1, journal: '', events, grades: [] });
      return answer === null ? (error?.message ?? null) : clip(answer, ANSWER).text;
    };
    const found =
      a.sample.kind === 'questions'
        ? { answers: { a: answerIn(ofA), b: answerIn(ofB) } }
        : { divergence: firstDivergence(trajectoryOf(ofA), trajectoryOf(ofB)) };
    pairs.push({ caseId, trial, outcomes, folders, ids, ...found });
  }
  return { pairs, leftOut: Math.max(0, chosen.length - MOST_PAIRS) };
}

export type DiscordantPair = Pick<DivergedPair, 'caseId' | 'trial' | 'outcomes'>;

/** One passed and the other did not. */
export function discordantPairs(a: RunSample, b: RunSample): DiscordantPair[] {
  const ofB = new Map(b.trials.map((trial) => [keyOf(trial), trial]));
  return a.trials.flatMap((trial) => {
    const other = ofB.get(keyOf(trial));
    if (!other?.outcome || !trial.outcome) return [];
    if ((trial.outcome === 'passed') === (other.outcome === 'passed')) return [];
    return [{ caseId: trial.caseId, trial: trial.trial, outcomes: { a: trial.outcome, b: other.outcome } }];
  });
}

function firstOfCases(pairs: readonly DiscordantPair[]): DiscordantPair[] {
  const seen = new Set<string>();
  return pairs.filter(({ caseId }) => !seen.has(caseId) && seen.add(caseId));
}

const keyOf = ({ caseId, trial }: Cell): string => JSON.stringify([caseId, trial]);

async function sideOf(run: RecordedRun) {
  const cells = await run.cells();
  const byKey = new Map(cells.map((cell, index) => [keyOf(cell), { cell, id: cellId(index) }]));
  return {
    find: (cell: Cell) => byKey.get(keyOf(cell)),
    folderOf: ({ folder }: RecordedCell): string => path.join(run.root ?? '', folder),
  };
}
