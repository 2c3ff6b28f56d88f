/** Runs of the database as rows of the list of all runs: questions of stored datasets, captures, and tasks that workers execute. */
import { and, arrayContains, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Variant } from '../../events/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import { variantModel, variantText } from '../variant-text.ts';
import type { AnyRun, AnyRunFilter, AnyRunOrder, AnyRunSort, Position, SortedRun } from './any-run.ts';
import { storedProblem } from './stored-problem.ts';

const { dataset, provider, run } = schema;

/** Plans of tasks are long, and are looked into only where there is no dataset that has the name. */
const planText = (...path: string[]): SQL =>
  sql`case when ${run.datasetId} is null then ${run.plan} #>> ${sql.raw(`'{${path.join(',')}}'`)} end`;
const suiteName = sql<string>`coalesce(${dataset.name}, ${planText('suite', 'name')}, '')`;
/** As variant-text.ts has them. */
const configured = (name: string): SQL => sql`split_part(${planText('variant', 'agent', 'config', name)}, ' at ', 1)`;
const teamModels = sql`nullif(concat_ws(', ', ${configured('orchestratorModel')}, nullif(${configured('executorModel')}, ${configured('orchestratorModel')})), '')`;
const agentModel = sql`coalesce(${configured('model')}, ${teamModels})`;
const agentName = sql<string>`(coalesce(${planText('variant', 'agent', 'name')}, ${planText('variant', 'agent', 'kind')} || coalesce(' (' || ${agentModel} || ')', '')) || ' on ' || ${planText('variant', 'server', 'name')})`;
const variantName = sql`coalesce(${provider.name}, ${agentName}, '')`;
const experiment = planText('experiment');
const askedModel = sql`nullif(coalesce(${run.model}, array_to_string(${run.modelLabels}, ', ')), '')`;
/** Of tasks that workers execute: their cells are counted, because nothing else is kept of them. */
const cellCount = (condition: SQL): SQL<number | null> =>
  sql<
    number | null
  >`case when ${run.datasetId} is null then (select count(*) from cell where cell.run_id = ${run.id} and ${condition})::int end`;
const passedCells = cellCount(sql`cell.result = 'passed'`);
const finishedCells = cellCount(sql`cell.state = 'finished'`);
const faultyCells = cellCount(sql`(cell.state = 'missing' or cell.result in ('adapter_error', 'tool_error'))`);

const columns = {
  id: run.id,
  datasetId: run.datasetId,
  datasetVersionHash: run.datasetVersionHash,
  suiteName,
  providerId: run.providerId,
  providerName: provider.name,
  surface: run.providerSurface,
  variant: sql<Variant | null>`case when ${run.datasetId} is null then ${run.plan} -> 'variant' end`,
  label: run.label,
  model: sql<string | null>`${askedModel}`,
  experiment: sql<string | null>`${experiment}`,
  tags: run.tags,
  status: run.status,
  statusReason: run.statusReason,
  gradingStatus: run.gradingStatus,
  gradingReason: run.gradingReason,
  itemCount: run.itemCount,
  counts: run.counts,
  passedCells,
  finishedCells,
  faultyCells,
  inputTokens: run.inputTokens,
  outputTokens: run.outputTokens,
  costUsd: run.costUsd,
  createdAt: run.createdAt,
  finishedAt: run.finishedAt,
};
export type StoredRow = Omit<Awaited<ReturnType<typeof selectRows>>[number], 'value'>;

export async function listStoredRuns(
  db: Queryable,
  filter: AnyRunFilter,
  page: AnyRunOrder & { after?: Position | undefined; limit: number },
): Promise<SortedRun[]> {
  const rows = await selectRows(db, page.sort)
    .where(and(whereOf(filter), page.after && afterPosition(page, page.after)))
    .orderBy(sql`${VALUES[page.sort].value} ${sql.raw(page.order)} nulls last`, asc(run.id))
    .limit(page.limit);
  return rows.map(({ value, ...row }) => ({ run: anyRun(row), value: sortValue(page.sort, value) }));
}

export async function countStoredRuns(db: Queryable, filter: AnyRunFilter): Promise<number> {
  return await db.$count(run, whereOf(filter));
}

export async function storedRunOf(db: Queryable, id: string): Promise<AnyRun | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await selectRows(db, 'created').where(eq(run.id, id));
  return row && anyRun(row);
}

function selectRows(db: Queryable, sort: AnyRunSort) {
  return db
    .select({ ...columns, value: sql<string | null>`(${VALUES[sort].value})::text` })
    .from(run)
    .leftJoin(dataset, eq(dataset.id, run.datasetId))
    .leftJoin(provider, eq(provider.id, run.providerId))
    .$dynamic();
}

interface Value {
  value: SQL;
  type: 'text' | 'timestamptz' | 'float8';
}

/** Names without case, by their bytes: folders are sorted in the same way, and the two are merged. */
const text = (value: SQL): Value => ({ value: sql`nullif(lower(${value}), '') collate "C"`, type: 'text' });
const VALUES: Readonly<Record<AnyRunSort, Value>> = {
  created: { value: sql`${run.createdAt}`, type: 'timestamptz' },
  label: text(sql`${run.label}`),
  suite: text(suiteName),
  variant: text(variantName),
  model: text(sql`coalesce(${askedModel}, ${agentModel})`),
  rate: {
    value: sql`case when ${run.datasetId} is null and ${run.status} not in ('queued', 'running') then ${passedCells}::float8 / nullif(${run.itemCount}, 0)
      else (${run.counts} ->> 'passed')::float8 / nullif((${run.counts} ->> 'scored')::float8, 0) end`,
    type: 'float8',
  },
  items: { value: sql`${run.itemCount}::float8`, type: 'float8' },
  cost: { value: sql`${run.costUsd}`, type: 'float8' },
};

function sortValue(sort: AnyRunSort, value: string | null): string | number | null {
  if (value === null || VALUES[sort].type === 'text') return value;
  return VALUES[sort].type === 'float8' ? Number(value) : Date.parse(value);
}

/** Rows after a place that may be of a folder: then no row of the database has its id. */
function afterPosition({ sort, order }: AnyRunOrder, { value, id }: Position): SQL {
  const { value: own, type } = VALUES[sort];
  const isLater = sql`${run.id}::text collate "C" > ${id}`;
  if (value === null) return sql`(${own} is null and ${isLater})`;
  const seen =
    type === 'timestamptz'
      ? sql`${new Date(value).toISOString()}::timestamptz`
      : sql`${String(value)}::text::${sql.raw(type)}`;
  const further = sql.raw(order === 'desc' ? '<' : '>');
  const beyond = sql`${own} ${further}= ${seen} and (${own} ${further} ${seen} or ${isLater})`;
  // One that an index can begin at; a time of creation is never null.
  return sort === 'created' ? sql`(${beyond})` : sql`(${own} is null or (${beyond}))`;
}

/** A condition on rows of the table `run` alone, so that they can be counted without a join. */
function whereOf(filter: AnyRunFilter): SQL | undefined {
  const { state, suite, variant, tag, search = '' } = filter;
  return and(
    filter.kind && isKind(filter.kind),
    state && (state === 'stopped' ? sql`false` : eq(run.status, state)),
    filter.scoring && and(eq(run.gradingStatus, filter.scoring), sql`${run.datasetId} is not null`),
    suite === undefined ? undefined : isOf(run.datasetId, dataset, suite, sql`${planText('suite', 'name')} = ${suite}`),
    variant === undefined ? undefined : isOf(run.providerId, provider, variant, sql`${agentName} = ${variant}`),
    filter.experiment === undefined ? undefined : sql`${experiment} = ${filter.experiment}`,
    tag === undefined ? undefined : arrayContains(run.tags, [tag]),
    filter.attention ? needsAttention : undefined,
    search.trim() === '' ? undefined : matches(search.trim()),
  );
}

function isKind(kind: AnyRun['kind']): SQL {
  if (kind === 'agent') return sql`${run.providerSurface} is null`;
  return eq(run.providerSurface, kind === 'model' ? 'api' : 'browser');
}

function isOf(
  column: typeof run.datasetId | typeof run.providerId,
  table: typeof dataset | typeof provider,
  given: string,
  inPlan: SQL,
): SQL {
  if (isUuid(given)) return eq(column, given);
  return sql`(${column} in (select id from ${table} where name = ${given}) or (${run.datasetId} is null and ${inPlan}))`;
}

/** They failed, could not be scored, or ended with items or attempts that came to an error. */
const needsAttention = sql`(${run.status} = 'failed' or ${run.gradingStatus} in ('failed', 'blocked', 'partial')
  or (${run.status} = 'completed' and coalesce((${run.counts} ->> 'errored')::int, ${faultyCells}, 0) > 0))`;

function matches(words: string): SQL {
  // `strpos` and not `like`: a percent sign in the words is a percent sign.
  const holds = (within: unknown): SQL => sql`strpos(lower(${within}), lower(${words})) > 0`;
  return sql`(${holds(run.label)} or ${holds(sql`coalesce(${run.model}, '')`)}
    or ${holds(sql`array_to_string(${run.modelLabels} || coalesce(${run.tags}, '{}'), chr(10))`)}
    or strpos(${run.id}::text, lower(${words})) = 1
    or ${run.datasetId} in (select id from ${dataset} where ${holds(sql`name`)})
    or ${run.providerId} in (select id from ${provider} where ${holds(sql`name`)})
    or (${run.datasetId} is null and ${holds(sql`concat_ws(chr(10), ${planText('suite', 'name')}, ${agentName}, ${agentModel}, ${experiment})`)}))`;
}

function anyRun(row: StoredRow): AnyRun {
  const isOfTasks = row.datasetId === null;
  const isUnderWay = row.status === 'queued' || row.status === 'running';
  const { scored = 0, passed = 0 } = row.counts;
  return {
    id: row.id,
    place: 'database',
    kind: row.surface === null ? (row.variant?.kind ?? 'agent') : row.surface === 'api' ? 'model' : 'capture',
    label: row.label,
    suite: { id: row.datasetId, name: row.suiteName, hash: row.datasetVersionHash },
    variant: { id: row.providerId, name: row.providerName ?? (row.variant ? variantText(row.variant) : '') },
    model: row.model ?? (row.variant ? variantModel(row.variant) : null),
    experiment: row.experiment,
    tags: row.tags ?? [],
    state: row.status,
    scoring: isOfTasks ? null : row.gradingStatus,
    problem: storedProblem(row),
    planned: row.itemCount,
    done: isOfTasks ? row.finishedCells : scored,
    passed: isOfTasks ? row.passedCells : passed,
    // A rate of a run that goes on would be one of its beginning.
    counted: isOfTasks ? (isUnderWay ? null : row.itemCount) : scored,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    costUsd: row.costUsd,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** What differs among the runs of tasks that workers execute. */
export async function storedTaskNames(
  db: Queryable,
): Promise<{ suite: string; variant: string; experiment: string | null }[]> {
  return await db
    .selectDistinct({
      suite: sql<string>`coalesce(${planText('suite', 'name')}, '')`,
      variant: sql<string>`coalesce(${agentName}, '')`,
      experiment: sql<string | null>`${experiment}`,
    })
    .from(run)
    .where(sql`${run.datasetId} is null`);
}
