/** Runs of stored datasets, as lists and details. Runs that were not made of a dataset and a provider are not among them. */
import { and, asc, count, desc, eq, gt, type SQL } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { isUuid, type JsonRow, type Queryable, schema, selectAsJson } from '../../store/index.ts';
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

/** What lists show of a run: its plan, say, is not among it, and is often longer than all the rest. */
const shownOfRun = {
  id: run.id,
  datasetVersionHash: run.datasetVersionHash,
  model: run.model,
  modelLabels: run.modelLabels,
  label: run.label,
  tags: run.tags,
  status: run.status,
  statusReason: run.statusReason,
  gradingStatus: run.gradingStatus,
  gradingReason: run.gradingReason,
  gradingRound: run.gradingRound,
  triggeredBy: run.triggeredBy,
  scheduleId: run.scheduleId,
  config: run.config,
  itemCount: run.itemCount,
  counts: run.counts,
  inputTokens: run.inputTokens,
  outputTokens: run.outputTokens,
  costUsd: run.costUsd,
  startedAt: run.startedAt,
  finishedAt: run.finishedAt,
  importedAt: run.importedAt,
  createdAt: run.createdAt,
  updatedAt: run.updatedAt,
};

const shownBeside = {
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

export type ListedRun = JsonRow<typeof shownBeside> & { run: JsonRow<typeof shownOfRun> };

export async function listRuns(db: Queryable, page: RunsPage): Promise<ListedRun[]> {
  const after = page.before === undefined ? undefined : await afterRun(db, page, page.before);
  return await selectRuns(db, { where: and(filterRuns(page), after), orderBy: orderOf(page), limit: page.limit });
}

/** How many runs a filter matches, on all pages. */
export async function countRuns(db: Queryable, filter: RunFilter): Promise<number> {
  const [counted] = await db.select({ runs: count() }).from(run).where(filterRuns(filter));
  return counted?.runs ?? 0;
}

/** With the names that a list shows. */
export async function selectRuns(
  db: Queryable,
  { where, orderBy = [], limit }: { where: SQL | undefined; orderBy?: readonly SQL[]; limit: number },
): Promise<ListedRun[]> {
  const columns = { ...shownBeside, ...shownOfRun };
  const query = db
    .select(columns)
    .from(run)
    .innerJoin(dataset, eq(dataset.id, run.datasetId))
    .innerJoin(provider, eq(provider.id, run.providerId))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
  const rows = await selectAsJson(db, columns, query);
  return rows.map((row) => {
    const { datasetId, datasetName, datasetVersionNow, providerId, providerName, providerSurface, ...rest } = row;
    const { targetPreset, targetOrigin, targetName, ...shown } = rest;
    const beside = { datasetId, datasetName, datasetVersionNow, providerId, providerName, providerSurface };
    return { ...beside, targetPreset, targetOrigin, targetName, run: shown };
  });
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
    selectRuns(db, { where: eq(run.id, id), limit: 1 }),
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
