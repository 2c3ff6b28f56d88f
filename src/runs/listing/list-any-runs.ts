/** One list of runs of all kinds: rows of the database and folders, each in the same order, merged page by page. */
import { inArray } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import type { RunFolders } from '../live/run-folders.ts';
import { type AnyRun, type AnyRunFilter, type AnyRunOrder, compareRows, type Position } from './any-run.ts';
import { filterFolderRuns, folderRun, sortFolderRuns } from './folder-runs.ts';
import { positionText, readPosition } from './position-text.ts';
import { countStoredRuns, listStoredRuns, storedRunOf } from './stored-runs.ts';

const { run } = schema;

export interface RunPlaces {
  readonly db: Queryable;
  /** Absent where the server shows no folders. */
  readonly folders?: RunFolders | undefined;
}

export interface AnyRunsPage {
  runs: AnyRun[];
  /** How many the filter matches, on all pages. */
  total: number;
  /** What the next page begins after; null on the last one. */
  next: string | null;
}

/** The work is that of one page of the database, and of filtering the folders in memory. */
export async function listAnyRuns(
  places: RunPlaces,
  filter: AnyRunFilter,
  page: AnyRunOrder & { after?: string | undefined; limit: number },
): Promise<AnyRunsPage> {
  const { sort, order, limit } = page;
  const after = page.after === undefined ? undefined : readPosition(sort, page.after);
  // One more than the page has: whether there is a next one.
  const [stored, count, folders] = await Promise.all([
    listStoredRuns(places.db, filter, { sort, order, after, limit: limit + 1 }),
    countStoredRuns(places.db, filter),
    folderRuns(places),
  ]);
  const inFolders = sortFolderRuns(filterFolderRuns(folders, filter), { sort, order });
  const isAfter = (at: Position): boolean => after === undefined || compareRows(at, after, order) > 0;
  const candidates = [...stored, ...inFolders.filter(({ run: { id }, value }) => isAfter({ id, value }))];
  const merged = candidates
    .map((row) => ({ ...row, at: { value: row.value, id: row.run.id } }))
    .sort((a, b) => compareRows(a.at, b.at, order));
  const shown = merged.slice(0, limit);
  const last = shown.at(-1);
  return {
    runs: shown.map((row) => row.run),
    total: count + inFolders.length,
    next: last && merged.length > limit ? positionText(sort, last.at) : null,
  };
}

export async function anyRunOf(places: RunPlaces, id: string): Promise<AnyRun> {
  const found = (await storedRunOf(places.db, id)) ?? folderRunOf(places, id);
  if (!found) throw notFound('run', id);
  return found;
}

function folderRunOf({ folders }: RunPlaces, id: string): AnyRun | undefined {
  const entry = folders?.index.entries().find((one) => one.id === id);
  return entry && folderRun(entry);
}

/** A run that was fetched from the database into a folder is one run. */
export async function folderRuns({ db, folders }: RunPlaces): Promise<AnyRun[]> {
  const all = new Map(folders?.index.entries().map((entry) => [entry.id, folderRun(entry)]));
  const ids = [...all.keys()].filter(isUuid);
  if (ids.length === 0) return [...all.values()];
  const stored = await db.select({ id: run.id }).from(run).where(inArray(run.id, ids));
  for (const { id } of stored) all.delete(id);
  return [...all.values()];
}
