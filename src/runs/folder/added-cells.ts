/** `cells.jsonl` beside `run.json`: cells that were added to the plan while the run was executed, one a line. `run.json` takes them over when it is written again. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { type Cell, cellSchema, type RunPlan } from '../../events/index.ts';
import { LineFile, readLines } from './line-file.ts';

const fileIn = (root: string): string => path.join(root, 'cells.jsonl');

export function addedCellsFile(root: string): LineFile {
  return new LineFile(fileIn(root));
}

export function lineOf({ caseId, trial }: Cell): string {
  return `${JSON.stringify({ caseId, trial })}\n`;
}

/** After a kill between the two files, a cell may stand in both. */
export function withAddedCells(plan: RunPlan, root: string): RunPlan {
  const known = new Set(plan.cells.map(lineOf));
  const added = readLines(fileIn(root)).flatMap((line, index) => {
    const cell = cellOf(fileIn(root), line, index + 1);
    return known.has(lineOf(cell)) ? [] : [cell];
  });
  if (added.length === 0) return plan;
  const trials = added.reduce((most, { trial }) => Math.max(most, trial), plan.trials);
  return { ...plan, trials, cells: [...plan.cells, ...added] };
}

export function removeAddedCells(root: string): void {
  rmSync(fileIn(root), { force: true });
}

function cellOf(file: string, line: string, number: number): Cell {
  try {
    return cellSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new WaymarkError({ code: 'journal_corrupt', message: `${file}, line ${number}: it is no cell.`, cause });
  }
}
