/** Runs of stored datasets, as lists and details. Runs that were not made of a dataset and a provider are not among them. */
import { and, asc, desc, eq, gt } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import type { GraderSummary } from '../../view/index.ts';
import { gradeGroups } from '../grading/deciding-grade-rows.ts';
import { type RunSummary, summariseGroups } from '../grading/summarise.ts';
import { graderSummaries } from './grader-summaries.ts';
import { filterRuns, type RunFilter } from './run-filter.ts';
import { afterRun, orderOf, type RunOrder } from './run-order.ts';

const { captureImport, dataset, provider, run, runLog } = schema;

export interface RunsPage extends RunFilter, RunOrder {
  /** The id that the last page ended with. */
  before?: string | undefined;
  limit: number;
}

const columns = {
  run,
  datasetId: dataset.id,
  datasetName: dataset.name,
  datasetVersionNow: dataset.versionHash,
  providerId: provider.id,
  providerName: provider.name,
  providerSurface: provider.surface,
  targetPreset: provider.targetPreset,
  targetOrigin: provider.targetOrigin,
  targetName: provider.targetName,
};

export type ListedRun = Awaited<ReturnType<typeof listRuns>>[number];

export async function listRuns(db: Queryable, page: RunsPage) {
  const after = page.before === undefined ? undefined : await afterRun(db, page, page.before);
  return await selectRuns(db)
    .where(and(filterRuns(page), after))
    .orderBy(...orderOf(page))
    .limit(page.limit);
}

/** How many runs a filter matches, on all pages. */
export async function countRuns(db: Queryable, filter: RunFilter): Promise<number> {
  return await db.$count(run, filterRuns(filter));
}

/** With the names that a list shows. */
export function selectRuns(db: Queryable) {
  return db
    .select(columns)
    .from(run)
    .innerJoin(dataset, eq(dataset.id, run.datasetId))
    .innerJoin(provider, eq(provider.id, run.providerId))
    .$dynamic();
}

export async function runRow(db: Queryable, id: string): Promise<typeof run.$inferSelect> {
  const [row] = isUuid(id) ? await db.select().from(run).where(eq(run.id, id)) : [];
  if (!row) throw notFound('run', id);
  return row;
}

export interface RunDetail {
  listed: ListedRun;
  importId: string | null;
  warnings: unknown[];
  summary: RunSummary & { graders: readonly GraderSummary[] };
}

export async function getRun(db: Queryable, id: string): Promise<RunDetail> {
  if (!isUuid(id)) throw notFound('run', id);
  // Together: none of them needs what another one finds.
  const [[row], [imported], groups, graders] = await Promise.all([
    selectRuns(db).where(eq(run.id, id)),
    lastImport(db, id),
    gradeGroups(db, id),
    graderSummaries(db, id),
  ]);
  if (!row) throw notFound('run', id);
  return {
    listed: row,
    importId: imported?.id ?? null,
    warnings: imported?.warnings ?? [],
    summary: { ...summariseGroups(groups), graders },
  };
}

/** The last part says how the run is now. */
async function lastImport(db: Queryable, runId: string) {
  return await db
    .select({ id: captureImport.id, warnings: captureImport.warnings })
    .from(captureImport)
    .where(eq(captureImport.runId, runId))
    .orderBy(desc(captureImport.part))
    .limit(1);
}

export async function listRunLogs(db: Queryable, id: string, page: { limit: number; after: number }) {
  await runRow(db, id);
  const rows = await db
    .select()
    .from(runLog)
    .where(and(eq(runLog.runId, id), gt(runLog.seq, page.after)))
    .orderBy(asc(runLog.seq))
    .limit(page.limit);
  return rows.map(({ seq, at, level, code, message, data }) => ({
    seq,
    at: at.toISOString(),
    level,
    code,
    message,
    data,
  }));
}
