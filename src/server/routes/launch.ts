/** Normal runs: a dataset asked of a model behind an API, cancelled, taken up again; the last two also for runs that workers execute. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  cancelRun,
  isWorkRun,
  launchRequestSchema,
  launchRun,
  planLaunch,
  readLaunch,
  resumeRun,
  resumeWorkRun,
  stopWorkRun,
} from '../../runs/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { idempotencyHeader } from './idempotency-header.ts';
import { keyBlockers } from './key-blockers.ts';
import { preflightAnswer, preflightSchema } from './preflight.ts';
import { body, idParam, json, warningSchema } from './respond.ts';
import type { RouteContext } from './route-context.ts';

const tags = ['runs'];

export const launchedSchema = z
  .object({
    run_id: z.string(),
    status: z.literal('queued'),
    items: z.int(),
    excluded: z.array(z.object({ id: z.string(), reason: z.string() })).readonly(),
    warnings: z.array(warningSchema).readonly(),
  })
  .openapi('LaunchedRun');

const launch = createRoute({
  method: 'post',
  path: '/runs',
  operationId: 'launchRun',
  summary: 'Launch a dataset, or a part of it, on a model of an API provider',
  description:
    'With an `Idempotency-Key`, a repeated request is answered like the first and launches nothing; the same key with another body is refused',
  tags,
  request: { headers: idempotencyHeader, body: body(launchRequestSchema) },
  responses: { 202: json('The run, queued', launchedSchema), ...problemResponses(400, 404, 422) },
});

const preflight = createRoute({
  method: 'post',
  path: '/runs/preflight',
  operationId: 'preflightRun',
  summary: 'What would keep this run from being launched or scored; launches none',
  tags,
  request: { body: body(launchRequestSchema) },
  responses: {
    200: json('Blockers and warnings', preflightSchema),
    ...problemResponses(400, 404, 422),
  },
});

const cancel = createRoute({
  method: 'post',
  path: '/runs/{id}/cancel',
  operationId: 'cancelRun',
  summary: 'End a run that waits or is under way; what was answered stays',
  description:
    'Of a run that workers execute, attempts that are under way are aborted by their workers and stay as interrupted ones; they and those that were not begun wait until the run is resumed',
  tags,
  request: { params: idParam },
  responses: {
    200: json('Cancelled', z.object({ run_id: z.string(), status: z.literal('cancelled') })),
    ...problemResponses(404, 409),
  },
});

const resume = createRoute({
  method: 'post',
  path: '/runs/{id}/resume',
  operationId: 'resumeRun',
  summary: 'Resume a run that has ended: asks what is missing or came to an error',
  description:
    'Of a run that workers execute, what was not begun, was interrupted or ended by a fault that was not the agent’s is tried again; its status is `running` at once',
  tags,
  request: { params: idParam },
  responses: {
    202: json('Queued', z.object({ run_id: z.string(), status: z.enum(['queued', 'running']), items: z.int() })),
    ...problemResponses(404, 409, 422),
  },
});

export type LaunchRoutes = typeof launch | typeof preflight | typeof cancel | typeof resume;

export function launchRoutes(context: RouteContext): Router {
  const { store } = context;
  const router = newRouter();
  router.openapi(launch, async (c) => {
    const key = c.req.valid('header')['idempotency-key'];
    return c.json(await launchRun(context, c.req.valid('json'), key), 202);
  });
  router.openapi(preflight, async (c) => {
    const request = c.req.valid('json');
    const { dataset, judgeProvider } = await readLaunch(store.db, request);
    const blockers = await keyBlockers(context, request);
    return c.json(await preflightAnswer(blockers, () => planLaunch(dataset, request, judgeProvider)), 200);
  });
  router.openapi(cancel, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await ((await isWorkRun(store.db, id)) ? stopWorkRun : cancelRun)(context, id), 200);
  });
  router.openapi(resume, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await ((await isWorkRun(store.db, id)) ? resumeWorkRun : resumeRun)(context, id), 202);
  });
  return router;
}
