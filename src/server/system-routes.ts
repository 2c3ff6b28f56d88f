/** Routes for operators: health, readiness and metrics. */
import { createRoute, z } from '@hono/zod-openapi';
import { WaymarkError } from '../errors/index.ts';
import type { Metrics } from './metrics.ts';
import { problemResponses } from './problem.ts';
import { MEGABYTE, newRouter, type Router, type ServerContext } from './route-module.ts';

const okSchema = z.object({ ok: z.literal(true) });
const READY_MS = 2_000;
/** Below this a database can't be relied on to write: it needs room for its log before it changes a row. */
const LEAST_SPACE = 64 * MEGABYTE;

const json = (description: string) => ({ description, content: { 'application/json': { schema: okSchema } } });

const healthz = createRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'getHealth',
  summary: 'The process is alive',
  tags: ['system'],
  responses: { 200: json('It is.') },
});

const readyz = createRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'The server can do its work: the database answers, its disk has room, and it is not stopping',
  tags: ['system'],
  responses: { 200: json('It can.'), ...problemResponses(503) },
});

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Metrics for Prometheus',
  tags: ['system'],
  responses: { 200: { description: 'Text format 0.0.4', content: { 'text/plain': { schema: z.string() } } } },
});

export function systemRouter({ store, queue, stopping, version, spaceLeft }: ServerContext, metrics: Metrics): Router {
  const router = newRouter();
  router.openapi(healthz, (c) => c.json({ ok: true as const }, 200));
  router.openapi(readyz, async (c) => {
    if (stopping.aborted) throw new WaymarkError({ code: 'stopping', message: 'The server is stopping.' });
    const late = new Promise<never>((_, reject) => {
      AbortSignal.timeout(READY_MS).addEventListener('abort', () => reject(new Error('too late')), { once: true });
    });
    try {
      await Promise.race([store.ping(), late]);
    } catch {
      // This route answers the same for every reason.
      throw new WaymarkError({ code: 'database_unreachable', message: 'The database does not answer.' });
    }
    const left = (await spaceLeft?.()) ?? Number.POSITIVE_INFINITY;
    if (left < LEAST_SPACE) {
      throw new WaymarkError({
        code: 'disk_full',
        message: `The disk of the data has ${Math.floor(left / MEGABYTE)} MB left.`,
        hint: 'Free some space: what can’t be written is lost.',
      });
    }
    return c.json({ ok: true as const }, 200);
  });
  router.openapi(metricsRoute, async (c) => {
    const text = metrics.render(await queue.stats(), version);
    return c.text(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  return router;
}
