/** A run as it is recorded, in a folder or in a database with its artifacts: what pages and comparisons read of it. */
import path from 'node:path';
import type { EpisodeResult, JournalEvent } from '../events/index.ts';
import { type RecordedCell, recordedCells } from './folder/recorded-cells.ts';
import { type RunFile, readRunFile } from './folder/run-file.ts';
import { resultOf, wholeEventsIn } from './recorded-attempts.ts';

export interface RecordedRun extends Pick<RunFile, 'plan' | 'endedAt'> {
  /** Its folder, where it has one. */
  readonly root?: string;
  /** In the order of the plan. */
  cells(): Promise<RecordedCell[]>;
  /** Of the attempt that counts; none where it has not begun, or where its journal is damaged. */
  events(cell: RecordedCell): Promise<JournalEvent[]>;
  result(cell: RecordedCell, events: JournalEvent[]): Promise<EpisodeResult>;
}

export function recordedFolder(root: string): RecordedRun & { readonly root: string } {
  const run = readRunFile(root);
  return {
    plan: run.plan,
    endedAt: run.endedAt,
    root,
    cells: async () => recordedCells(root, run),
    events: ({ folder }) => wholeEventsIn(path.join(root, folder)),
    result: async (cell, events) => resultOf(root, { ...cell, events }),
  };
}
