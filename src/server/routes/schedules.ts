/** Runs by the clock. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  ANY_RUN_STATES,
  createSchedule,
  cronProblem,
  deleteSchedule,
  getSchedule,
  judgeSchema,
  launchRequestSchema,
  listSchedules,
  runScheduleNow,
  scheduleInputSchema,
  startRequestSchema,
  timesAfter,
  updateSchedule,
} from '../../runs/index.ts';
import { schema } from '../../store/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { launchedSchema } from './launch.ts';
import { body, idParam, json } from './respond.ts';
import type { RouteContext } from './route-context.ts';

const tags = ['schedules'];
const time = z.string().nullable();
const { params, sections, item_ids } = launchRequestSchema.shape;

const timesSchema = z.object({
  id: z.string(),
  name: z.string(),
  cron: z.string(),
  timezone: z.string(),
  enabled: z.boolean(),
  next_run_at: time,
  last_fired_at: time,
  last_problem: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

const questionScheduleSchema = timesSchema
  .extend({
    dataset: z.object({ id: z.string(), name: z.string(), item_count: z.int() }),
    provider: z.object({ id: z.string(), name: z.string() }),
    dataset_id: z.string(),
    provider_id: z.string(),
    model: z.string(),
    sections: sections.unwrap().nullable(),
    item_ids: item_ids.unwrap().nullable(),
    max_items: z.int().nullable(),
    params: params.unwrap().nullable(),
    judge: judgeSchema.nullable(),
    label: z.string().nullable(),
    concurrency: z.int().nullable(),
    requests_per_minute: z.int().nullable(),
    last_run: z
      .object({
        id: z.string(),
        status: z.enum(schema.RUN_STATUSES),
        scoring_status: z.enum(schema.GRADING_STATUSES),
        created_at: z.string(),
      })
      .nullable(),
  })
  .openapi('Schedule');

const taskScheduleSchema = timesSchema
  .extend({
    tasks: startRequestSchema,
    blocker: z.string().nullable().openapi({ description: 'Why this server does not start its runs' }),
    last_run: z
      .object({
        id: z.string(),
        state: z.enum(ANY_RUN_STATES).nullable(),
        passed: z.int().nullable(),
        planned: z.int().nullable(),
        created_at: time,
      })
      .nullable()
      .openapi({ description: 'Only its id is known where it is not in the folders of this server' }),
  })
  .openapi('TaskSchedule');

const scheduleSchema = z.union([questionScheduleSchema, taskScheduleSchema]);
const startedSchema = z.object({ run_id: z.string(), status: z.literal('running') }).openapi('StartedRun');

const list = createRoute({
  method: 'get',
  path: '/schedules',
  operationId: 'listSchedules',
  summary: 'Schedules by name, with their next and their last run',
  tags,
  responses: { 200: json('Schedules', z.object({ schedules: z.array(scheduleSchema) })) },
});
const preview = createRoute({
  method: 'get',
  path: '/schedules/preview',
  operationId: 'previewSchedule',
  summary: 'The next times of a cron expression, or what is wrong with it',
  tags,
  request: { query: z.object({ cron: z.string().max(200), timezone: z.string().max(100).default('UTC') }) },
  responses: {
    200: json('Times', z.object({ valid: z.boolean(), message: z.string().nullable(), next: z.array(z.string()) })),
    ...problemResponses(400),
  },
});
const create = createRoute({
  method: 'post',
  path: '/schedules',
  operationId: 'createSchedule',
  summary:
    'Launch a dataset, or start a run of browser tasks, by the clock: a cron expression of five fields in a time zone',
  tags,
  request: { body: body(scheduleInputSchema) },
  responses: { 201: json('The schedule', scheduleSchema), ...problemResponses(400, 403, 404, 422) },
});
const get = createRoute({
  method: 'get',
  path: '/schedules/{id}',
  operationId: 'getSchedule',
  summary: 'A schedule',
  tags,
  request: { params: idParam },
  responses: { 200: json('The schedule', scheduleSchema), ...problemResponses(404) },
});
const update = createRoute({
  method: 'put',
  path: '/schedules/{id}',
  operationId: 'updateSchedule',
  summary: 'Change a schedule',
  tags,
  request: { params: idParam, body: body(scheduleInputSchema) },
  responses: { 200: json('The schedule', scheduleSchema), ...problemResponses(400, 403, 404, 422) },
});
const remove = createRoute({
  method: 'delete',
  path: '/schedules/{id}',
  operationId: 'deleteSchedule',
  summary: 'Delete a schedule; its runs stay',
  tags,
  request: { params: idParam },
  responses: { 204: { description: 'Gone' }, ...problemResponses(404) },
});
const runNow = createRoute({
  method: 'post',
  path: '/schedules/{id}/run-now',
  operationId: 'runSchedule',
  summary: 'Launch or start what a schedule does, now',
  tags,
  request: { params: idParam },
  responses: {
    202: json('The run: queued, or of tasks running', z.union([launchedSchema, startedSchema])),
    ...problemResponses(403, 404, 422, 429, 503),
  },
});

export type ScheduleRoutes =
  | typeof list
  | typeof preview
  | typeof create
  | typeof get
  | typeof update
  | typeof remove
  | typeof runNow;

const PREVIEWED = 5;

export function scheduleRoutes(context: RouteContext): Router {
  const { now } = context;
  const router = newRouter();
  router.openapi(list, async (c) => c.json({ schedules: await listSchedules(context) }, 200));
  // Before `/schedules/{id}`, which would take it for an id.
  router.openapi(preview, (c) => {
    const times = c.req.valid('query');
    const at = now();
    const message = cronProblem(times, at) ?? null;
    const next = message === null ? timesAfter(times, at, PREVIEWED).map((one) => one.toISOString()) : [];
    return c.json({ valid: message === null, message, next }, 200);
  });
  router.openapi(create, async (c) => c.json(await createSchedule(context, c.req.valid('json')), 201));
  router.openapi(get, async (c) => c.json(await getSchedule(context, c.req.valid('param').id), 200));
  router.openapi(update, async (c) =>
    c.json(await updateSchedule(context, c.req.valid('param').id, c.req.valid('json')), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteSchedule(context, c.req.valid('param').id);
    return c.body(null, 204);
  });
  router.openapi(runNow, async (c) => c.json(await runScheduleNow(context, c.req.valid('param').id), 202));
  return router;
}
