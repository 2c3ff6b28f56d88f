/** Which runs a list shows. */
import { and, arrayContains, eq, type SQL, sql } from 'drizzle-orm';
import { isUuid, schema } from '../../store/index.ts';

const { dataset, provider, run } = schema;

export interface RunFilter {
  dataset_id?: string | undefined;
  provider_id?: string | undefined;
  surface?: 'api' | 'browser' | undefined;
  status?: (typeof schema.RUN_STATUSES)[number] | undefined;
  grading_status?: (typeof schema.GRADING_STATUSES)[number] | undefined;
  tag?: string | undefined;
  /** Part of the label, of a tag, of the model or of the name of the dataset or provider, or the start of the id. */
  search?: string | undefined;
}

/** A condition on rows of the table `run` alone, so that they can be counted without a join. */
export function filterRuns(filter: RunFilter): SQL | undefined {
  return and(
    // Runs that were not made of a stored dataset and provider have another list.
    sql`${run.datasetId} is not null and ${run.providerId} is not null`,
    sameId(run.datasetId, filter.dataset_id),
    sameId(run.providerId, filter.provider_id),
    filter.surface && eq(run.providerSurface, filter.surface),
    filter.status && eq(run.status, filter.status),
    filter.grading_status && eq(run.gradingStatus, filter.grading_status),
    filter.tag === undefined ? undefined : arrayContains(run.tags, [filter.tag]),
    filter.search === undefined || filter.search.trim() === '' ? undefined : matches(filter.search.trim()),
  );
}

function sameId(column: typeof run.datasetId | typeof run.providerId, id: string | undefined): SQL | undefined {
  if (id === undefined) return undefined;
  return isUuid(id) ? eq(column, id) : sql`false`;
}

function matches(words: string): SQL {
  // `strpos` and not `like`: a percent sign in the words is a percent sign.
  const holds = (text: unknown): SQL => sql`strpos(lower(${text}), lower(${words})) > 0`;
  return sql`(${holds(run.label)} or ${holds(sql`coalesce(${run.model}, '')`)}
    or ${holds(sql`array_to_string(${run.modelLabels} || coalesce(${run.tags}, '{}'), chr(10))`)}
    or strpos(${run.id}::text, lower(${words})) = 1
    or ${run.datasetId} in (select id from ${dataset} where ${holds(sql`name`)})
    or ${run.providerId} in (select id from ${provider} where ${holds(sql`name`)}))`;
}
