/** The workers that share this server's database. */
import { createRoute, z } from '@hono/zod-openapi';
import { listWorkers, workerAttempts } from '../../runs/index.ts';
import { newRouter, type Router } from '../route-module.ts';
import { json } from './respond.ts';
import type { RouteContext } from './route-context.ts';

const workerSchema = z
  .object({
    id: z.string(),
    host: z.string(),
    version: z.string(),
    labels: z.array(z.string()).readonly(),
    concurrency: z.int(),
    running: z.int().openapi({ description: 'Attempts that it has claimed now' }),
    draining: z.boolean().openapi({ description: 'It takes nothing new, and ends when what it has is done' }),
    alive: z.boolean().openapi({ description: 'It reported itself within the last minute' }),
    attempts: z
      .array(z.object({ run_id: z.string(), case_id: z.string(), trial: z.int(), attempt: z.int() }))
      .openapi({ description: 'What it has claimed now' }),
    started_at: z.string(),
    seen_at: z.string(),
  })
  .openapi('Worker');

const list = createRoute({
  method: 'get',
  path: '/workers',
  operationId: 'listWorkers',
  summary: 'Workers that execute attempts on other machines, the oldest first',
  tags: ['workers'],
  responses: { 200: json('Workers', z.object({ workers: z.array(workerSchema) })) },
});

export type WorkerRoutes = typeof list;

export function workerRoutes({ store }: RouteContext): Router {
  const router = newRouter();
  router.openapi(list, async (c) => {
    const claimed = await workerAttempts(store.db);
    const workers = (await listWorkers(store.db)).map(({ isAlive, startedAt, seenAt, ...worker }) => ({
      ...worker,
      alive: isAlive,
      attempts: (claimed.get(worker.id) ?? []).map(({ runId, caseId, trial, attempt }) => ({
        run_id: runId,
        case_id: caseId,
        trial,
        attempt,
      })),
      started_at: startedAt.toISOString(),
      seen_at: seenAt.toISOString(),
    }));
    return c.json({ workers }, 200);
  });
  return router;
}
