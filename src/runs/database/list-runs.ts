/** Runs of stored datasets, as lists and details. Runs that were not made of a dataset and a provider are not among them. */
import { and, asc, desc, eq, gt, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import type { GraderSummary } from '../../view/index.ts';
import { gradeGroups } from '../grading/deciding-grade-rows.ts';
import { type RunSummary, summariseGroups } from '../grading/summarise.ts';
import { graderSummaries } from './grader-summaries.ts';

const { captureImport, dataset, provider, run, runLog } = schema;

export interface RunFilter {
  dataset_id?: string | undefined;
  provider_id?: string | undefined;
  surface?: 'api' | 'browser' | undefined;
  status?: (typeof schema.RUN_STATUSES)[number] | undefined;
  grading_status?: (typeof schema.GRADING_STATUSES)[number] | undefined;
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

export async function listRuns(db: Queryable, filter: RunFilter) {
  const wanted: (SQL | undefined)[] = [
    sameId(run.datasetId, filter.dataset_id),
    sameId(run.providerId, filter.provider_id),
    filter.surface && eq(run.providerSurface, filter.surface),
    filter.status && eq(run.status, filter.status),
    filter.grading_status && eq(run.gradingStatus, filter.grading_status),
  ];
  if (filter.before !== undefined) {
    const { createdAt, id } = await runRow(db, filter.before);
    // The first condition is one that an index can begin at.
    wanted.push(lte(run.createdAt, createdAt), or(lt(run.createdAt, createdAt), gt(run.id, id)));
  }
  const rows = await selectRuns(db)
    .where(and(...wanted))
    // To the letter as the index run_newest has it: a plain `desc` puts nulls first, and every run would be sorted.
    .orderBy(sql`${run.createdAt} desc nulls last`, asc(run.id))
    .limit(filter.limit);
  return rows;
}

function sameId(column: typeof run.datasetId | typeof run.providerId, id: string | undefined): SQL | undefined {
  if (id === undefined) return undefined;
  return isUuid(id) ? eq(column, id) : sql`false`;
}

function selectRuns(db: Queryable) {
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
  const [row] = isUuid(id) ? await selectRuns(db).where(eq(run.id, id)) : [];
  if (!row) throw notFound('run', id);
  const [imported] = await db
    .select({ id: captureImport.id, warnings: captureImport.warnings })
    .from(captureImport)
    .where(eq(captureImport.runId, id))
    // The last part says how the run is now.
    .orderBy(desc(captureImport.part))
    .limit(1);
  return {
    listed: row,
    importId: imported?.id ?? null,
    warnings: imported?.warnings ?? [],
    summary: { ...summariseGroups(await gradeGroups(db, id)), graders: await graderSummaries(db, id) },
  };
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
