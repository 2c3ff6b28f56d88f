/** Runs as lists and details. Accuracy never stands alone: coverage is always beside it. */
import { and, asc, eq, gt, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import { scoreGroups } from './latest-scores.ts';
import { type RunSummary, summariseGroups } from './summarise.ts';

const { captureImport, dataset, provider, run, runLog } = schema;

export interface RunFilter {
  dataset_id?: string | undefined;
  provider_id?: string | undefined;
  surface?: 'api' | 'browser' | undefined;
  status?: (typeof schema.RUN_STATUSES)[number] | undefined;
  scoring_status?: (typeof schema.SCORING_STATUSES)[number] | undefined;
  /** The id that the last page ended with. */
  before?: string | undefined;
  limit: number;
}

const columns = {
  run,
  datasetName: dataset.name,
  datasetVersionNow: dataset.versionHash,
  providerName: provider.name,
  targetPreset: provider.targetPreset,
  targetOrigin: provider.targetOrigin,
  targetName: provider.targetName,
};

export type RunInfo = ReturnType<typeof infoOf>;

export async function listRuns(db: Queryable, filter: RunFilter): Promise<RunInfo[]> {
  const wanted: (SQL | undefined)[] = [
    sameId(run.datasetId, filter.dataset_id),
    sameId(run.providerId, filter.provider_id),
    filter.surface && eq(run.providerSurface, filter.surface),
    filter.status && eq(run.status, filter.status),
    filter.scoring_status && eq(run.scoringStatus, filter.scoring_status),
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
  return rows.map(infoOf);
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

export interface RunDetail extends RunInfo {
  import_id: string | null;
  warnings: unknown[];
  summary: RunSummary;
}

export async function getRun(db: Queryable, id: string): Promise<RunDetail> {
  const [row] = isUuid(id) ? await selectRuns(db).where(eq(run.id, id)) : [];
  if (!row) throw notFound('run', id);
  const [imported] = await db
    .select({ id: captureImport.id, warnings: captureImport.warnings })
    .from(captureImport)
    .where(eq(captureImport.runId, id));
  return {
    ...infoOf(row),
    import_id: imported?.id ?? null,
    warnings: imported?.warnings ?? [],
    summary: summariseGroups(await scoreGroups(db, id)),
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

interface Row {
  run: typeof run.$inferSelect;
  datasetName: string;
  datasetVersionNow: string;
  providerName: string;
  targetPreset: string | null;
  targetOrigin: string | null;
  targetName: string | null;
}

function infoOf({ run: row, ...about }: Row) {
  const { scored = 0, passed = 0 } = row.counts;
  return {
    id: row.id,
    dataset: {
      id: row.datasetId,
      name: about.datasetName,
      version_hash: row.datasetVersionHash,
      is_current: row.datasetVersionHash === about.datasetVersionNow,
    },
    provider: {
      id: row.providerId,
      name: about.providerName,
      surface: row.providerSurface,
      browser_target:
        row.providerSurface === 'browser'
          ? { preset: about.targetPreset, origin: about.targetOrigin, display_name: about.targetName }
          : null,
    },
    model: row.model,
    model_labels: row.modelLabels,
    /** The token proves which pack was used, not that the answers are genuine. */
    capture_label: row.triggeredBy === 'browser_harness' ? ('self-reported capture' as const) : null,
    label: row.label,
    status: row.status,
    status_reason: row.statusReason,
    scoring_status: row.scoringStatus,
    scoring_reason: row.scoringReason,
    scoring_attempt: row.scoringAttempt,
    triggered_by: row.triggeredBy,
    schedule_id: row.scheduleId,
    config: row.config,
    item_count: row.itemCount,
    counts: row.counts,
    accuracy: scored === 0 ? null : passed / scored,
    coverage: row.itemCount === 0 ? null : scored / row.itemCount,
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    imported_at: row.importedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
