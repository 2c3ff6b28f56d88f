/** Reads runs of any place for comparisons. What was read of a run is kept until the run changes: a page asks for the same ones again. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { notFound, WaymarkError } from '../../errors/index.ts';
import type { RunSample } from '../../metrics/index.ts';
import type { Artifacts, Store } from '../../store/index.ts';
import type { ReadSample } from '../compare/read-sample.ts';
import { sampleOfRun } from '../compare/sample-of-run.ts';
import { databaseStamp, recordedDatabaseRun } from '../database/recorded-database-run.ts';
import type { RunFolders } from '../live/run-folders.ts';
import { type RecordedRun, recordedFolder } from '../recorded-run.ts';
import { storedRunOf } from './stored-runs.ts';

export interface SamplePlaces {
  readonly store: Store;
  readonly artifacts: Artifacts;
  readonly folders?: RunFolders | undefined;
  /** The folder of checks that failed. */
  readonly checks?: string | undefined;
}

/** Samples that are kept: one of a thousand attempts takes about 200 kB. */
const KEPT = 50;

export class SampleReader {
  readonly #places: SamplePlaces;
  readonly #kept = new Map<string, { stamp: string; sample: Promise<RunSample> }>();

  constructor(places: SamplePlaces) {
    this.#places = places;
  }

  /** @throws WaymarkError run_not_found; runs_not_comparable for questions of a stored dataset. */
  async read(id: string): Promise<ReadSample> {
    const { run, stamp } = await this.#find(id);
    const known = this.#kept.get(id);
    if (known?.stamp === stamp) return { run, sample: await known.sample };
    const sample = sampleOfRun(run, this.#places.checks);
    this.#kept.delete(id);
    this.#kept.set(id, { stamp, sample });
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    try {
      return { run, sample: await sample };
    } catch (error) {
      this.#kept.delete(id);
      throw error;
    }
  }

  async #find(id: string): Promise<{ run: RecordedRun; stamp: string }> {
    const { store, artifacts, folders } = this.#places;
    const stored = await recordedDatabaseRun({ store, artifacts }, id);
    if (stored) return { run: stored, stamp: await databaseStamp(store.db, id) };
    const entry = folders?.index.entries().find((one) => one.id === id);
    // What is written now changes with every event.
    if (entry) return { run: recordedFolder(entry.root), stamp: `${entry.state} ${stampOf(entry.root, entry.state)}` };
    if (!(await storedRunOf(store.db, id))) throw notFound('run', id);
    throw new WaymarkError({
      code: 'runs_not_comparable',
      message: `The run ${id} is of questions of a stored dataset, and is compared only with another run of that dataset.`,
      hint: 'Choose two runs of an agent’s tasks, or two of one version of a dataset.',
    });
  }
}

/** Reports are written again whenever a run ends or is graded. */
function stampOf(root: string, state: string): string {
  if (state === 'running') return String(performance.now());
  return ['run.json', 'report.json']
    .map((name) => statSync(path.join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(' ');
}
