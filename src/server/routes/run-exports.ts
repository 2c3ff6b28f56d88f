/** Runs as files: a run with its items and grades, or the list of runs. Sent page by page, so that a long run takes no more memory than a short one. */
import { createRoute, z } from '@hono/zod-openapi';
import { getRun, listCells, listGrades, listRuns, type RunsPage } from '../../runs/index.ts';
import type { Queryable } from '../../store/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { wireGrade } from '../wire-grades.ts';
import { wireItem, wireRun, wireRunDetail } from '../wire-names.ts';
import { gradeSchema } from './grade-schemas.ts';
import { csvOf, fileResponse, headersOf, jsonOf, streamOf } from './list-files.ts';
import { idParam } from './respond.ts';
import type { RouteContext } from './route-context.ts';
import { ITEM_COLUMNS, RUN_COLUMNS } from './run-csv.ts';
import { runFilterQuery } from './run-filter-query.ts';
import { runDetailSchema, runItemSchema, runSchema } from './run-schemas.ts';

const tags = ['runs'];
const PAGE = 500;
const format = z.enum(['json', 'csv']).default('json');

const exportList = createRoute({
  method: 'get',
  path: '/runs/export',
  operationId: 'exportRuns',
  summary: 'The list of runs as a file, whole: filtered, searched and sorted as the list',
  description: 'CSV has a line per run. A text that a spreadsheet would take for a formula has an apostrophe in front.',
  tags,
  request: { query: z.object({ format, ...runFilterQuery }) },
  responses: { 200: fileResponse('The file', z.object({ runs: z.array(runSchema) })), ...problemResponses(400) },
});

const exportRun = createRoute({
  method: 'get',
  path: '/runs/{id}/export',
  operationId: 'exportRun',
  summary: 'A run as a file: with its items and the grades of all graders as JSON, or a line per item as CSV',
  description: 'In CSV, a text that a spreadsheet would take for a formula has an apostrophe in front.',
  tags,
  request: { params: idParam, query: z.object({ format }) },
  responses: {
    200: fileResponse(
      'The file',
      z
        .object({ run: runDetailSchema, items: z.array(runItemSchema), grades: z.array(gradeSchema) })
        .openapi('ExportedRun'),
    ),
    ...problemResponses(400, 404),
  },
});

export type RunExportRoutes = typeof exportList | typeof exportRun;

export function runExportRoutes({ store }: RouteContext): Router {
  const router = newRouter();
  router.openapi(exportList, (c) => {
    const { format: wanted, scoring_status: grading_status, ...filter } = c.req.valid('query');
    const runs = allRuns(store.db, { ...filter, grading_status });
    const text = wanted === 'csv' ? csvOf(RUN_COLUMNS, runs) : jsonOf({ runs });
    return c.body(streamOf(text), 200, headersOf('runs', wanted));
  });
  router.openapi(exportRun, async (c) => {
    const { id } = c.req.valid('param');
    const { format: wanted } = c.req.valid('query');
    const run = wireRunDetail(await getRun(store.db, id));
    const items = allItems(store.db, run.id);
    const text =
      wanted === 'csv' ? csvOf(ITEM_COLUMNS, items) : jsonOf({ run, items, grades: allGrades(store.db, run.id) });
    return c.body(streamOf(text), 200, headersOf(`run-${run.id}`, wanted));
  });
  return router;
}

async function* allRuns(db: Queryable, filter: Omit<RunsPage, 'limit' | 'before'>) {
  for (let before: string | undefined; ; ) {
    const page = await listRuns(db, { ...filter, before, limit: PAGE });
    yield* page.map(wireRun);
    before = page.at(-1)?.run.id;
    if (page.length < PAGE) return;
  }
}

async function* allItems(db: Queryable, runId: string) {
  for (let after = 0; ; ) {
    const page = await listCells(db, runId, { limit: PAGE, after });
    yield* page.map(wireItem);
    after = page.at(-1)?.cell.seq ?? after;
    if (page.length < PAGE) return;
  }
}

async function* allGrades(db: Queryable, runId: string) {
  for (let after = 0; ; ) {
    const page = await listGrades(db, runId, { limit: PAGE, after });
    yield* page.map(wireGrade);
    after = page.at(-1)?.grade.id ?? after;
    if (page.length < PAGE) return;
  }
}
