/** Runs of all kinds in one list: asked of models, captured, and of agents in browsers, in the database and in folders. */
import { createRoute, z } from '@hono/zod-openapi';
import { wilsonInterval } from '../../metrics/index.ts';
import {
  ANY_RUN_KINDS,
  ANY_RUN_SORTS,
  ANY_RUN_STATES,
  type AnyRun,
  type AnyRunFilter,
  anyRunOf,
  listAnyRuns,
  type RunPlaces,
  runChoices,
} from '../../runs/index.ts';
import { schema } from '../../store/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { csvOf, fileResponse, headersOf, jsonOf, streamOf } from './list-files.ts';
import { idParam, json, limitQuery, textQuery } from './respond.ts';
import type { RouteContext } from './route-context.ts';
import type { Column } from './run-csv.ts';
import { interval, ratio } from './run-schemas.ts';

const tags = ['all runs'];

const anyRunSchema = z
  .object({
    id: z.string(),
    place: z.enum(['database', 'folder']),
    kind: z.enum(ANY_RUN_KINDS).openapi({
      description: 'Questions asked of a model, a captured chat page, or an agent’s tasks in browsers',
    }),
    label: z.string(),
    suite: z.object({ id: z.string().nullable(), name: z.string(), hash: z.string() }).openapi({
      description: 'The id is of a stored dataset',
    }),
    variant: z.object({ id: z.string().nullable(), name: z.string() }).openapi({
      description: 'The id is of a stored provider',
    }),
    model: z.string().nullable(),
    experiment: z.string().nullable(),
    tags: z.array(z.string()),
    state: z.enum(ANY_RUN_STATES),
    scoring: z.enum(schema.GRADING_STATUSES).nullable(),
    problem: z.string().nullable().openapi({ description: 'Why it needs attention' }),
    planned: z.int(),
    done: z.int().nullable().openapi({ description: 'Questions that were scored, or attempts that have finished' }),
    passed: z.int().nullable(),
    counted: z.int().nullable().openapi({
      description: 'What the rate is over: questions that were scored, or everything that an agent was to do',
    }),
    rate: ratio.openapi({ description: 'passed / counted' }),
    interval: interval.nullable().openapi({ description: 'Wilson’s interval of the rate, 95 %' }),
    inputTokens: z.int().nullable(),
    outputTokens: z.int().nullable(),
    costUsd: z.number().nullable(),
    createdAt: z.string(),
    endedAt: z.string().nullable(),
  })
  .openapi('AnyRun');
type WireRun = z.infer<typeof anyRunSchema>;

const filterQuery = {
  kind: z.enum(ANY_RUN_KINDS).optional(),
  state: z.enum(ANY_RUN_STATES).optional(),
  scoring: z.enum(schema.GRADING_STATUSES).optional(),
  suite: textQuery.openapi({ description: 'The name, or the id of a stored dataset' }),
  variant: textQuery.openapi({ description: 'The name, or the id of a stored provider' }),
  experiment: textQuery,
  tag: textQuery,
  search: textQuery.openapi({ description: 'Part of a name, in any case; or the start of the id' }),
  attention: z.enum(['true', 'false']).optional().openapi({
    description: 'Only runs that failed, could not be scored, or have items or attempts that came to an error',
  }),
  sort: z.enum(ANY_RUN_SORTS).default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
};

const list = createRoute({
  method: 'get',
  path: '/all-runs',
  operationId: 'listAllRuns',
  summary: 'Runs of all kinds, in the database and in folders: filtered, searched and sorted; the newest first',
  tags,
  request: { query: z.object({ limit: limitQuery, after: z.string().max(2_000).optional(), ...filterQuery }) },
  responses: {
    200: json(
      'Runs; `after` takes `next`',
      z.object({
        runs: z.array(anyRunSchema),
        total: z.int().openapi({ description: 'How many runs the filter matches, on all pages' }),
        next: z.string().nullable().openapi({ description: 'Null on the last page' }),
      }),
    ),
    ...problemResponses(400),
  },
});

const choices = createRoute({
  method: 'get',
  path: '/all-runs/choices',
  operationId: 'listRunChoices',
  summary: 'What the list of all runs can be filtered by',
  tags,
  responses: {
    200: json(
      'Suites, variants and experiments',
      z.object({
        suites: z.array(z.object({ value: z.string(), name: z.string() })),
        variants: z.array(z.object({ value: z.string(), name: z.string() })),
        experiments: z.array(z.string()),
      }),
    ),
  },
});

const exportList = createRoute({
  method: 'get',
  path: '/all-runs/export',
  operationId: 'exportAllRuns',
  summary: 'The list of all runs as a file, whole: filtered, searched and sorted as the list',
  description: 'CSV has a line per run. A text that a spreadsheet would take for a formula has an apostrophe in front.',
  tags,
  request: { query: z.object({ format: z.enum(['json', 'csv']).default('json'), ...filterQuery }) },
  responses: { 200: fileResponse('The file', z.object({ runs: z.array(anyRunSchema) })), ...problemResponses(400) },
});

const get = createRoute({
  method: 'get',
  path: '/all-runs/{id}',
  operationId: 'getAnyRun',
  summary: 'One run as the list shows it',
  tags,
  request: { params: idParam },
  responses: { 200: json('The run', anyRunSchema), ...problemResponses(404) },
});

export type AllRunsRoutes = typeof list | typeof choices | typeof exportList | typeof get;

export function allRunsRoutes({ store, folders }: RouteContext): Router {
  // The database is looked at in a request only: a document of the routes has none.
  const places = (): RunPlaces => ({ db: store.db, folders });
  const router = newRouter();
  router.openapi(list, async (c) => {
    const { limit, after, sort, order, attention, ...filter } = c.req.valid('query');
    const page = await listAnyRuns(
      places(),
      { ...filter, attention: attention === 'true' },
      { sort, order, after, limit },
    );
    return c.json({ ...page, runs: page.runs.map(wireAnyRun) }, 200);
  });
  // Before `/all-runs/{id}`, which would take their names for an id.
  router.openapi(choices, async (c) => c.json(await runChoices(places()), 200));
  router.openapi(exportList, (c) => {
    const { format, sort, order, attention, ...filter } = c.req.valid('query');
    const runs = allRuns(places(), { ...filter, attention: attention === 'true' }, { sort, order });
    return c.body(streamOf(format === 'csv' ? csvOf(COLUMNS, runs) : jsonOf({ runs })), 200, headersOf('runs', format));
  });
  router.openapi(get, async (c) => c.json(wireAnyRun(await anyRunOf(places(), c.req.valid('param').id)), 200));
  return router;
}

const PAGE = 500;

async function* allRuns(
  places: RunPlaces,
  filter: AnyRunFilter,
  order: Pick<Parameters<typeof listAnyRuns>[2], 'sort' | 'order'>,
): AsyncGenerator<WireRun> {
  for (let after: string | undefined; ; ) {
    const { runs, next } = await listAnyRuns(places, filter, { ...order, after, limit: PAGE });
    yield* runs.map(wireAnyRun);
    if (next === null) return;
    after = next;
  }
}

export function wireAnyRun(run: AnyRun): WireRun {
  const { passed, counted } = run;
  const isKnown = passed !== null && counted !== null && counted > 0;
  return {
    ...run,
    rate: isKnown ? passed / counted : null,
    interval: isKnown ? wilsonInterval(passed, counted) : null,
  };
}

const COLUMNS: readonly Column<WireRun>[] = [
  ['id', ({ id }) => id],
  ['place', ({ place }) => place],
  ['kind', ({ kind }) => kind],
  ['label', ({ label }) => label],
  ['suite', ({ suite }) => suite.name],
  ['suite_hash', ({ suite }) => suite.hash],
  ['variant', ({ variant }) => variant.name],
  ['model', ({ model }) => model],
  ['experiment', ({ experiment }) => experiment],
  ['tags', ({ tags: words }) => words.join(', ')],
  ['state', ({ state }) => state],
  ['scoring', ({ scoring }) => scoring],
  ['problem', ({ problem }) => problem],
  ['planned', ({ planned }) => planned],
  ['done', ({ done }) => done],
  ['passed', ({ passed }) => passed],
  ['counted', ({ counted }) => counted],
  ['rate', ({ rate }) => rate],
  ['input_tokens', ({ inputTokens }) => inputTokens],
  ['output_tokens', ({ outputTokens }) => outputTokens],
  ['cost_usd', ({ costUsd }) => costUsd],
  ['created_at', ({ createdAt }) => createdAt],
  ['ended_at', ({ endedAt }) => endedAt],
];
