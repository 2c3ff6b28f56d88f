/** How much of what a run had planned was done. A rate over less than the plan would hide what is missing. */
import { someOf } from '../errors/index.ts';
import type { EpisodeResult } from '../events/index.ts';
import type { RecordedCell } from './folder/recorded-cells.ts';

export type PlannedCell = Pick<RecordedCell, 'caseId' | 'trial' | 'attempts' | 'notBegun' | 'quarantine'>;

/** Why a planned cell has no result: its attempt was cut off, could not be begun, or had no turn yet. */
const REASONS = ['interrupted', 'notBegun', 'pending'] as const;
type Unfinished = Record<(typeof REASONS)[number], string[]>;
const WORDS: Readonly<Record<keyof Unfinished, string>> = {
  interrupted: 'interrupted',
  notBegun: 'not begun',
  pending: 'pending',
};

/** Everything that was planned is finished, interrupted, not begun or pending. */
export interface RunCoverage {
  planned: number;
  finished: number;
  interrupted: number;
  notBegun: number;
  pending: number;
  /** The names of those that have not finished; absent where all have. */
  unfinished?: Unfinished;
}

/** Is told each result as it is folded; what it was told nothing about has none. */
export class CoverageFold {
  readonly #finished = new Set<string>();

  add({ taskId, trial, interrupted }: Pick<EpisodeResult, 'taskId' | 'trial' | 'interrupted'>): void {
    if (interrupted !== true) this.#finished.add(nameOf({ caseId: taskId, trial }));
  }

  of(cells: readonly PlannedCell[]): RunCoverage {
    const unfinished: Unfinished = { interrupted: [], notBegun: [], pending: [] };
    for (const cell of cells) if (!this.#finished.has(nameOf(cell))) unfinished[stateOf(cell)].push(nameOf(cell));
    const { interrupted, notBegun, pending } = unfinished;
    const counts = { interrupted: interrupted.length, notBegun: notBegun.length, pending: pending.length };
    const left = counts.interrupted + counts.notBegun + counts.pending;
    return {
      planned: cells.length,
      finished: cells.length - left,
      ...counts,
      ...(left > 0 ? { unfinished } : {}),
    };
  }
}

/** The task, with the trial where it is not the first. */
export function nameOf({ caseId, trial }: Pick<PlannedCell, 'caseId' | 'trial'>): string {
  return `${caseId}${trial > 1 ? ` (trial ${trial})` : ''}`;
}

/** `12 of 17 have not finished: 1 interrupted (a), 11 pending (b, c and 9 more)`; undefined where all have. */
export function unfinishedText({ planned, finished, unfinished }: RunCoverage): string | undefined {
  if (!unfinished) return undefined;
  const parts = REASONS.flatMap((reason) => {
    const names = unfinished[reason];
    return names.length === 0 ? [] : [`${names.length} ${WORDS[reason]} (${someOf(names)})`];
  });
  const left = planned - finished;
  return `${left} of ${planned} ${left === 1 ? 'has' : 'have'} not finished: ${parts.join(', ')}`;
}

/** Of a run that goes on; undefined where all have finished. */
export function goingOnText({ planned, finished }: Pick<RunCoverage, 'planned' | 'finished'>): string | undefined {
  return finished === planned ? undefined : `${finished} of ${planned} have finished so far`;
}

function stateOf({ attempts, notBegun }: PlannedCell): keyof Unfinished {
  if (notBegun) return 'notBegun';
  return attempts === 0 ? 'pending' : 'interrupted';
}
