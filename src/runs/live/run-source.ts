/** Where a run of an agent is looked at while it may go on: a folder that a process writes, or the database that workers write. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type RunFile, readRunFile } from '../folder/run-file.ts';
import { isExecuted } from '../folder/run-lock.ts';
import { requestStop } from '../folder/run-requests.ts';
import { type RecordedRun, recordedFolder } from '../recorded-run.ts';
import { type LiveCell, type ReadCell, readCell } from './live-cell.ts';

export interface CellPlace {
  index: number;
  id: string;
  /** The run goes on. */
  isRunning: boolean;
}

export interface RunLook {
  run: RunFile;
  isRunning: boolean;
  /** Another one says that what had ended may have been tried or graded again. */
  stamp: string;
}

export interface RunSource extends Pick<RecordedRun, 'plan' | 'events' | 'result'> {
  /** Its folder, where it has one. */
  readonly root?: string;
  /** Reads what the cells are then read from; the run that it was before, where that has not changed. */
  look(before: RunLook | undefined): Promise<RunLook>;
  /** `before` is returned as it is where nothing has changed. */
  cell(run: RunFile, place: CellPlace, before: LiveCell | undefined): Promise<ReadCell>;
  /** Asks those who execute it to stop it. */
  stop(): Promise<unknown>;
  /** A picture of the attempt that counts, by its name in `screenshots`; undefined where there is none. */
  picture(cell: LiveCell['cell'], file: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export function folderSource(root: string): RunSource {
  const { plan, events, result } = recordedFolder(root);
  return {
    root,
    plan,
    events,
    result,
    look: async (before) => {
      // The report is written anew when attempts were graded again.
      const report = statSync(path.join(root, 'report.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const stamp = `${statSync(path.join(root, 'run.json')).mtimeMs} ${sizeOf(path.join(root, 'cells.jsonl'))} ${report}`;
      const run = before?.stamp === stamp ? before.run : readRunFile(root);
      return { run, isRunning: isExecuted(root), stamp };
    },
    cell: (run, place, before) => readCell(root, run, place, before),
    stop: async () => requestStop(root),
    picture: async ({ folder }, file) => pictureIn(root, path.join(folder, 'screenshots', file)),
  };
}

/** What a link in the folder points at is not of the run. */
function pictureIn(root: string, file: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const real = realpathSync(path.join(root, file));
    return real === path.join(realpathSync(root), file) ? new Uint8Array(readFileSync(real)) : undefined;
  } catch {
    return undefined;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
