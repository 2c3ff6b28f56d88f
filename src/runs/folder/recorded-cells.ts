/** The cells of a run with the attempt that counts for each: what reports are made from. */
import path from 'node:path';
import type { Cell } from '../../events/index.ts';
import type { NotBegun } from '../run-store.ts';
import { attemptPath, attemptsOf, countAttempts, notBegunIn } from './attempt-folders.ts';
import type { RunFile } from './run-file.ts';

export interface RecordedCell extends Cell {
  /** Of the attempt that counts: the last finished one, or else the last. Relative to the run's folder. */
  folder: string;
  /** The number of the attempt that counts. */
  attempt: number;
  /** How many there are. */
  attempts: number;
  /** Folders of the other attempts: cut off, never begun, or ended by a fault. */
  earlier: string[];
  /** Why the attempt that counts could not be begun. */
  notBegun?: NotBegun;
  oracleSteps?: number;
  /** Why its case is counted apart, and until when. */
  quarantine?: { reason: string; until: string };
}

/** In the order of the plan. */
export function recordedCells(root: string, run: RunFile): RecordedCell[] {
  return run.plan.cells.map((cell) => {
    const attempts = countAttempts(root, cell);
    const counts = attempts < 2 ? 1 : countingAttempt(root, cell);
    const folderOf = (attempt: number): string => attemptPath({ ...cell, attempt });
    const folder = folderOf(counts);
    const notBegun = attempts === 0 ? undefined : (notBegunIn(path.join(root, folder)) ?? oldNotBegun(run, folder));
    const oracleSteps = run.plan.oracleSteps?.[cell.caseId];
    const quarantine = run.plan.quarantined?.[cell.caseId];
    const others = Array.from({ length: attempts }, (_, index) => index + 1).filter((attempt) => attempt !== counts);
    return {
      ...cell,
      folder,
      attempt: counts,
      attempts,
      earlier: others.map(folderOf),
      ...(notBegun === undefined ? {} : { notBegun }),
      ...(oracleSteps === undefined ? {} : { oracleSteps }),
      ...(quarantine === undefined ? {} : { quarantine }),
    };
  });
}

/** Version 0.1.0 kept only the reason. */
function oldNotBegun({ notBegun }: RunFile, folder: string): NotBegun | undefined {
  const reason = notBegun?.get(folder);
  return reason === undefined ? undefined : { reason, outcome: 'env_error' };
}

/** One attempt counts whether it has ended or not: only where there are more, their journals' last lines are looked at. */
function countingAttempt(root: string, cell: Cell): number {
  const attempts = attemptsOf(root, cell);
  return (attempts.findLast(({ finished }) => finished) ?? attempts.at(-1))?.attempt ?? 1;
}
