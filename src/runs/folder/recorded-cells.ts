/** The cells of a run with the attempt that counts for each: what reports are made from. */
import type { Cell } from '../../events/index.ts';
import { attemptPath, attemptsOf } from './attempt-folders.ts';
import type { RunFile } from './run-file.ts';

export interface RecordedCell extends Cell {
  /** Of the attempt that counts: the last finished one, or else the last. Relative to the run's folder. */
  folder: string;
  /** How many there are. */
  attempts: number;
  /** Folders of the other attempts: cut off, never begun, or ended by a fault. */
  earlier: string[];
  /** Why the attempt that counts could not be begun. */
  notBegun?: string;
  oracleSteps?: number;
}

/** In the order of the plan. */
export function recordedCells(root: string, { plan, notBegun }: RunFile): RecordedCell[] {
  return plan.cells.map((cell) => {
    const attempts = attemptsOf(root, cell, notBegun);
    const counts = attempts.findLast(({ finished }) => finished) ?? attempts.at(-1);
    const folderOf = (attempt: number): string => attemptPath({ ...cell, attempt });
    const oracleSteps = plan.oracleSteps?.[cell.caseId];
    return {
      ...cell,
      folder: folderOf(counts?.attempt ?? 1),
      attempts: attempts.length,
      earlier: attempts.filter((attempt) => attempt !== counts).map(({ attempt }) => folderOf(attempt)),
      ...(counts?.notBegun === undefined ? {} : { notBegun: counts.notBegun }),
      ...(oracleSteps === undefined ? {} : { oracleSteps }),
    };
  });
}
