/** Runs: lists, details, items, logs, live events, comparison, and scoring once more. */
import { createRoute, z } from '@hono/zod-openapi';
import type { Warning } from '../../errors/index.ts';
import {
  compareStoredRuns,
  countRuns,
  getRun,
  gradeAgain,
  judgeSchema,
  listCells,
  listRunLogs,
  listRuns,
  runRow,
} from '../../runs/index.ts';
import { eventStream } from '../event-stream.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { runEvents } from '../run-events.ts';
import { cellsOfStatus, RUN_ITEM_STATUSES, wireComparison, wireItem, wireRun, wireRunDetail } from '../wire-names.ts';
import { afterQuery, body, idParam, json, limitQuery, textQuery } from './respond.ts';
import type { RouteContext } from './route-context.ts';
import { runFilterQuery } from './run-filter-query.ts';
import { comparisonSchema, logLineSchema, runDetailSchema, runItemSchema, runSchema } from './run-schemas.ts';

const tags = ['runs'];
const list = createRoute({
  method: 'get',
  path: '/runs',
  operationId: 'listRuns',
  summary: 'Runs: filtered, searched and sorted; the newest first unless asked otherwise',
  tags,
  request: { query: z.object({ limit: limitQuery, before: textQuery, ...runFilterQuery }) },
  responses: {
    200: json(
      'Runs; `before` takes the last id',
      z.object({
        runs: z.array(runSchema),
        total: z.int().openapi({ description: 'How many runs the filter matches, on all pages' }),
      }),
    ),
    ...problemResponses(400, 404),
  },
});

const compare = createRoute({
  method: 'get',
  path: '/runs/compare',
  operationId: 'compareRuns',
  summary: 'Two runs of the same dataset version, item by item, with paired statistics of b against a',
  tags,
  request: { query: z.object({ a: z.string().max(200), b: z.string().max(200) }) },
  responses: {
    200: json('The comparison', comparisonSchema),
    ...problemResponses(400, 404, 422),
  },
});

const get = createRoute({
  method: 'get',
  path: '/runs/{id}',
  operationId: 'getRun',
  summary: 'A run, with coverage beside accuracy, whole and by section',
  tags,
  request: { params: idParam },
  responses: {
    200: json('The run', runDetailSchema),
    ...problemResponses(404),
  },
});

const items = createRoute({
  method: 'get',
  path: '/runs/{id}/items',
  operationId: 'listRunItems',
  summary: "A run's items with their scores, oldest attempt first",
  tags,
  request: {
    params: idParam,
    query: z.object({ limit: limitQuery, after: afterQuery, status: z.enum(RUN_ITEM_STATUSES).optional() }),
  },
  responses: {
    200: json('Items', z.object({ items: z.array(runItemSchema) })),
    ...problemResponses(400, 404),
  },
});

const logs = createRoute({
  method: 'get',
  path: '/runs/{id}/logs',
  operationId: 'listRunLogs',
  summary: 'What happened to a run',
  tags,
  request: { params: idParam, query: z.object({ limit: limitQuery, after: afterQuery }) },
  responses: {
    200: json('Lines', z.object({ logs: z.array(logLineSchema) })),
    ...problemResponses(400, 404),
  },
});

const events = createRoute({
  method: 'get',
  path: '/runs/{id}/events',
  operationId: 'streamRunEvents',
  summary: "A run's log as server-sent events; `Last-Event-ID` replays",
  tags,
  request: { params: idParam },
  responses: {
    200: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } },
    ...problemResponses(400, 404),
  },
});

const again = createRoute({
  method: 'post',
  path: '/runs/{id}/rescore',
  operationId: 'rescoreRun',
  summary: 'Score a run once more, as a new attempt; with another judge if one is given',
  tags,
  request: {
    params: idParam,
    body: { ...body(z.object({ judge: judgeSchema.optional() })), required: false },
  },
  responses: {
    202: json('Queued', z.object({ run_id: z.string(), attempt: z.int(), scoring_status: z.literal('queued') })),
    ...problemResponses(400, 404, 409, 422),
  },
});

export type RunRoutes =
  | typeof list
  | typeof compare
  | typeof get
  | typeof items
  | typeof logs
  | typeof events
  | typeof again;

export function runRoutes(context: RouteContext): Router {
  const { store, stopping } = context;
  const router = newRouter();
  router.openapi(list, async (c) => {
    const { scoring_status: grading_status, ...asked } = c.req.valid('query');
    const page = { ...asked, grading_status };
    const [runs, total] = await Promise.all([listRuns(store.db, page), countRuns(store.db, page)]);
    return c.json({ runs: runs.map(wireRun), total }, 200);
  });
  // Before `/runs/{id}`, which would take it for an id.
  router.openapi(compare, async (c) => {
    const { a, b } = c.req.valid('query');
    return c.json(wireComparison(await compareStoredRuns(store.db, a, b)), 200);
  });
  router.openapi(get, async (c) => {
    const run = wireRunDetail(await getRun(store.db, c.req.valid('param').id));
    // Only imports write them.
    return c.json({ ...run, warnings: run.warnings as Warning[] }, 200);
  });
  router.openapi(items, async (c) => {
    const { limit, after, status } = c.req.valid('query');
    const cells = await listCells(store.db, c.req.valid('param').id, { limit, after, ...cellsOfStatus(status) });
    return c.json({ items: cells.map(wireItem) }, 200);
  });
  router.openapi(logs, async (c) =>
    c.json({ logs: await listRunLogs(store.db, c.req.valid('param').id, c.req.valid('query')) }, 200),
  );
  router.openapi(events, async (c) => {
    const { id } = await runRow(store.db, c.req.valid('param').id);
    return eventStream(c, runEvents(store, id), { stopping });
  });
  router.openapi(again, async (c) => {
    const { judge } = c.req.valid('json');
    return c.json(await gradeAgain(context, c.req.valid('param').id, judge), 202);
  });
  return router;
}
