/** All runs, live: what a list listens to. */
import { createRoute, z } from '@hono/zod-openapi';
import { eventStream } from '../event-stream.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { runsEvents } from '../runs-events.ts';
import type { RouteContext } from './route-context.ts';

const events = createRoute({
  method: 'get',
  path: '/runs/events',
  operationId: 'streamRunsEvents',
  summary: 'Runs that are made or change their status, as server-sent events',
  description:
    'Begins with `ready` and goes on with what happens from then on; with `Last-Event-ID`, with what came after that instead. `run_created` and `run_changed` bring `{run_id, status, scoring_status, at}`.',
  tags: ['runs'],
  responses: {
    200: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } },
    ...problemResponses(400),
  },
});

export type RunsEventsRoutes = typeof events;

export function runsEventsRoutes({ store, stopping }: RouteContext): Router {
  const router = newRouter();
  router.openapi(events, (c) => eventStream(c, runsEvents(store), { stopping }));
  return router;
}
