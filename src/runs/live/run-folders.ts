/** The runs of agents that a server shows: those of folders are listed, all are opened and watched, never copied or changed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { newestRuns } from '../folder/newest-runs.ts';
import { isRun, readRunFile } from '../folder/run-file.ts';
import { FolderIndex } from './folder-index.ts';
import { LiveRun } from './live-run.ts';
import { folderSource, type RunSource } from './run-source.ts';

/** How often a run that a viewer has open is read. */
const LOOK_MS = 500;
/** Runs that are held open; the one that was asked for longest ago is closed. */
const OPEN = 8;

interface Watched {
  run: LiveRun;
  listeners: Set<() => void>;
  /** It is looked at again and again. */
  isWatched: boolean;
}

export class RunFolders {
  /** What lists show of them. */
  readonly index = new FolderIndex(() => this.roots());
  readonly #places: readonly string[];
  readonly #open = new Map<string, Watched>();
  readonly #roots = new Map<string, string>();

  readonly #elsewhere: (id: string) => Promise<RunSource | undefined>;

  /** Each place is a run's folder, or a folder of them. `elsewhere` opens runs that are in none: those of the database. */
  constructor(
    places: readonly string[],
    elsewhere: (id: string) => Promise<RunSource | undefined> = async () => undefined,
  ) {
    this.#places = places;
    this.#elsewhere = elsewhere;
  }

  /** The folders, newest first in each place. */
  roots(): string[] {
    const found = this.#places.flatMap((place) =>
      isRun(place) ? [place] : existsSync(place) ? newestRuns(place) : [],
    );
    return [...new Set(found.map((root) => path.resolve(root)))];
  }

  /** The id of the run in a folder; undefined where its plan can't be read (yet). */
  idOf(root: string): string | undefined {
    const known = this.#roots.get(root);
    if (known !== undefined) return known;
    try {
      const { runId } = readRunFile(root).plan;
      this.#roots.set(root, runId);
      return runId;
    } catch (error) {
      if (error instanceof WaymarkError) return undefined;
      throw error;
    }
  }

  /** Looked at just now. */
  async open(id: string): Promise<LiveRun> {
    const { run } = await this.#watched(id);
    await run.refresh();
    return run;
  }

  /** For one attempt of it: the others are not read where no process writes the run and it was not opened as a whole. */
  async openPart(id: string): Promise<LiveRun> {
    const { run } = await this.#watched(id);
    if (!(await run.isAtRest())) await run.refresh();
    return run;
  }

  /** Calls the listener when the run has changed. Returns a function that unsubscribes. */
  async subscribe(id: string, listener: () => void): Promise<() => boolean> {
    const watched = await this.#watched(id);
    watched.listeners.add(listener);
    this.#look(watched);
    return () => watched.listeners.delete(listener);
  }

  #look(watched: Watched): void {
    if (watched.isWatched) return;
    watched.isWatched = true;
    const again = async (): Promise<void> => {
      // A folder that is removed while it is watched has nothing more to tell.
      const hasChanged = await watched.run.refresh().catch(() => false);
      if (hasChanged) for (const listener of watched.listeners) listener();
      watched.isWatched = watched.listeners.size > 0;
      if (watched.isWatched) setTimeout(again, LOOK_MS).unref();
    };
    setTimeout(again, LOOK_MS).unref();
  }

  async #watched(id: string): Promise<Watched> {
    const known = this.#open.get(id);
    if (known) {
      this.#open.delete(id);
      this.#open.set(id, known);
      return known;
    }
    const source = (await this.#elsewhere(id)) ?? this.#folderOf(id);
    if (!source)
      throw new WaymarkError({
        code: 'run_not_found',
        message: `There is no run ${id} in the folders that this server shows.`,
        hint: 'Start the server with --runs <folder> for another folder of runs.',
      });
    const watched: Watched = { run: new LiveRun(source), listeners: new Set(), isWatched: false };
    this.#open.set(id, watched);
    for (const [other, { listeners }] of this.#open)
      if (this.#open.size > OPEN && listeners.size === 0 && other !== id) this.#open.delete(other);
    return watched;
  }

  #folderOf(id: string): RunSource | undefined {
    const root = this.roots().find((place) => this.idOf(place) === id);
    return root === undefined ? undefined : folderSource(root);
  }
}
