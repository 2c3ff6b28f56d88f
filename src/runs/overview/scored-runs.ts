/**
 * The scored runs of the datasets that were run last: the newest of each dataset for its trend, and the newest of each model for a table. Both
 * are bounded, so that a server with many thousand runs answers as quickly as one with few.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type Queryable, schema } from '../../store/index.ts';

const { dataset, provider, run } = schema;

const MOST_DATASETS = 12;
const MOST_POINTS = 30;
/** A model counts as used on a dataset while one of its runs is among so many newest ones. */
const NEWEST_OF_DATASET = 1_000;

export type ScoredRun = {
  runId: string;
  label: string;
  datasetId: string;
  datasetName: string;
  /** Whether the dataset is still the one that was run. */
  isCurrent: boolean;
  providerId: string;
  providerName: string;
  surface: (typeof schema.SURFACES)[number];
  /** The model that was asked, or the models that a chat page named. */
  model: string | null;
  itemCount: number;
  scored: number;
  passed: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** How many scored runs of the same dataset, provider and model were looked at. */
  runs: number;
};

/** Datasets by their newest run, newest first; within one, runs newest first. */
export async function trendRuns(db: Queryable): Promise<ScoredRun[]> {
  return await scoredRuns(db, sql`select *, 1 as runs from (${newestOf(MOST_POINTS)}) newest`);
}

/** The newest run of each provider and model, in the same order. */
export async function latestOfModels(db: Queryable): Promise<ScoredRun[]> {
  return await scoredRuns(
    db,
    sql`select distinct on (provider_id, model_name) *, count(*) over (partition by provider_id, model_name) as runs
      from (${newestOf(NEWEST_OF_DATASET)}) newest order by provider_id, model_name, created_at desc, id`,
  );
}

function newestOf(limit: number): SQL {
  return sql`select id, label, dataset_version_hash, provider_id, provider_surface, item_count, counts, created_at,
      coalesce(model, nullif(array_to_string(model_labels, ', '), '')) as model_name
    from ${run} where dataset_id = recent.id and provider_id is not null and (counts ->> 'scored')::int > 0
    order by created_at desc nulls last, id limit ${limit}`;
}

async function scoredRuns(db: Queryable, ofDataset: SQL): Promise<ScoredRun[]> {
  const { rows } = await db.execute<ScoredRun>(sql`
    with recent as (
      select ${dataset.id}, ${dataset.name}, ${dataset.versionHash}, last.created_at as last_run from ${dataset}
      join lateral (
        select created_at from ${run} where dataset_id = ${dataset.id} order by created_at desc nulls last limit 1
      ) last on true
      order by last_run desc, ${dataset.id} limit ${MOST_DATASETS}
    )
    select found.id as "runId", found.label, recent.id as "datasetId", recent.name as "datasetName",
      found.dataset_version_hash = recent.version_hash as "isCurrent", found.provider_id as "providerId",
      provider.name as "providerName", found.provider_surface as surface, found.model_name as model,
      found.item_count as "itemCount", (found.counts ->> 'scored')::int as scored,
      coalesce((found.counts ->> 'passed')::int, 0) as passed,
      (extract(epoch from found.created_at) * 1000)::float8 as "createdAt", found.runs::int as runs
    from recent join lateral (${ofDataset}) found on true join ${provider} on provider.id = found.provider_id
    order by recent.last_run desc, recent.id, found.created_at desc, found.id`);
  return rows;
}
