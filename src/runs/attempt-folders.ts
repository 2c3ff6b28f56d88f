/** Where each episode of a run is: its folder, and which attempt it is. An attempt that was begun is never begun again, and never removed. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { LoadedTask } from '../cases/index.ts';
import { readJournal } from '../journal/index.ts';
import type { RunFolder } from './run-folder.ts';

export interface PlannedEpisode {
  task: LoadedTask;
  trial: number;
}

/** In the order of the plan. */
export interface AttemptFolder extends PlannedEpisode {
  folder: string;
  /** From 1. */
  attempt: number;
  /** Folders of the attempts before this one: cut off, or never begun. */
  earlier: readonly string[];
  /** It was run to its end before the run was continued. */
  isFinished: boolean;
  /** Where no episode could be begun: why. */
  failed?: string;
}

export function planEpisodes(tasks: readonly LoadedTask[], trials: number): PlannedEpisode[] {
  return tasks.flatMap((task) => Array.from({ length: trials }, (_, index) => ({ task, trial: index + 1 })));
}

/** The places of a plan in a folder, which may hold what an earlier process has left. */
export async function attemptFolders(folder: RunFolder, plan: readonly PlannedEpisode[]): Promise<AttemptFolder[]> {
  const places: AttemptFolder[] = [];
  for (const planned of plan) {
    const folderOf = (attempt: number): string => folder.pathOf(planned.task.task.id, planned.trial, attempt);
    const earlier: string[] = [];
    while (isUsed(folderOf(earlier.length + 1))) earlier.push(folderOf(earlier.length + 1));
    const last = earlier.at(-1);
    const isFinished = last !== undefined && (await hasEnded(path.join(last, 'events.jsonl')));
    const attempt = isFinished ? earlier.length : earlier.length + 1;
    places.push({
      ...planned,
      folder: folderOf(attempt),
      attempt,
      earlier: isFinished ? earlier.slice(0, -1) : earlier,
      isFinished,
    });
  }
  return places;
}

/** A folder that was only made is as good as new. */
function isUsed(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** It has its stop, and not because the run was stopped. */
async function hasEnded(journal: string): Promise<boolean> {
  if (!existsSync(journal)) return false;
  let ended = false;
  for await (const event of readJournal(journal)) if (event.type === 'stop') ended = event.interrupted !== true;
  return ended;
}
