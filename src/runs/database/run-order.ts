/** In which order a list shows its runs, and where its next page begins. */
import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';

const { dataset, provider, run } = schema;

export const RUN_SORTS = ['created', 'label', 'dataset', 'provider', 'model', 'accuracy', 'items', 'cost'] as const;
type RunSort = (typeof RUN_SORTS)[number];

export interface RunOrder {
  sort?: RunSort | undefined;
  order?: 'asc' | 'desc' | undefined;
}

interface SortValue {
  value: SQL;
  type: 'text' | 'timestamptz' | 'float8';
}

/** Of a row of `run` with its dataset and provider. Names are compared without case; null comes last in either order. */
const VALUES: Readonly<Record<RunSort, SortValue>> = {
  created: { value: sql`${run.createdAt}`, type: 'timestamptz' },
  label: { value: sql`nullif(lower(${run.label}), '')`, type: 'text' },
  dataset: { value: sql`lower(${dataset.name})`, type: 'text' },
  provider: { value: sql`lower(${provider.name})`, type: 'text' },
  model: {
    value: sql`nullif(lower(coalesce(${run.model}, array_to_string(${run.modelLabels}, ', '))), '')`,
    type: 'text',
  },
  accuracy: {
    value: sql`(${run.counts} ->> 'passed')::float8 / nullif((${run.counts} ->> 'scored')::float8, 0)`,
    type: 'float8',
  },
  items: { value: sql`${run.itemCount}::float8`, type: 'float8' },
  cost: { value: sql`${run.costUsd}`, type: 'float8' },
};

export function orderOf({ sort = 'created', order = 'desc' }: RunOrder): SQL[] {
  // To the letter as the index run_newest has it: a plain `desc` puts nulls first, and every run would be sorted.
  return [sql`${VALUES[sort].value} ${sql.raw(order)} nulls last`, asc(run.id)];
}

/** Runs that come after the one that the last page ended with. */
export async function afterRun(
  db: Queryable,
  { sort = 'created', order = 'desc' }: RunOrder,
  id: string,
): Promise<SQL> {
  const { value, type } = VALUES[sort];
  const [last] = isUuid(id)
    ? await db
        .select({ text: sql<string | null>`(${value})::text` })
        .from(run)
        .innerJoin(dataset, eq(dataset.id, run.datasetId))
        .innerJoin(provider, eq(provider.id, run.providerId))
        .where(eq(run.id, id))
    : [];
  if (!last) throw notFound('run', id);
  if (last.text === null) return sql`(${value} is null and ${run.id} > ${id})`;
  const seen = sql`${last.text}::text::${sql.raw(type)}`;
  const further = sql.raw(order === 'desc' ? '<' : '>');
  const later = sql`(${value} ${further} ${seen} or ${run.id} > ${id})`;
  // The first condition is one that an index can begin at; a time of creation is never null.
  if (sort === 'created') return sql`${value} ${further}= ${seen} and ${later}`;
  return sql`(${value} is null or (${value} ${further}= ${seen} and ${later}))`;
}
