/** A route module for tests: one route of each kind, and a job that waits until it is released. */
import { createRoute, z } from '@hono/zod-openapi';
import { WaymarkError } from '../../src/errors/index.ts';
import { eventStream, newRouter, problemResponses, type RouteModule, runEvents } from '../../src/server/index.ts';

const greeting = z.object({ greeting: z.string() }).openapi('Greeting');
const greet = createRoute({
  method: 'post',
  path: '/test/greet/{id}',
  summary: 'Greets',
  request: {
    params: z.object({ id: z.string().max(5) }),
    body: {
      required: true,
      content: { 'application/json': { schema: z.object({ name: z.string(), tags: z.array(z.string()).optional() }) } },
    },
  },
  responses: {
    200: { description: 'A greeting', content: { 'application/json': { schema: greeting } } },
    ...problemResponses(400, 413, 422),
  },
});

export const LARGE = 2 * 1024 * 1024;

export const testRoutes: RouteModule = {
  name: 'test',
  bodyLimits: { '/test/large': LARGE },
  router: ({ store, queue, stopping }) => {
    const router = newRouter();
    router.openapi(greet, (c) => c.json({ greeting: `hello ${c.req.valid('json').name}` }, 200));
    router.post('/test/large', async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }));
    router.post('/test/large-not', async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }));
    router.get('/test/known', () => {
      throw new WaymarkError({ code: 'run_not_found', message: 'There is no run 1.', hint: 'Look again.' });
    });
    router.get('/test/refused', () => {
      throw new WaymarkError({
        code: 'unknown_items',
        message: 'Two items are unknown.',
        issues: [{ path: 'results[3]', code: 'unknown_item', message: 'not in the pack', item_id: 'q9' }],
      });
    });
    router.get('/test/bug', () => {
      throw new TypeError('the password is hunter2');
    });
    router.get('/test/slow', async (c) => {
      // Answers only after the stop has begun: a request under way.
      await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
      return c.json({ answered: true });
    });
    router.get('/test/events/:id', (c) => eventStream(c, runEvents(store, c.req.param('id')), { stopping }));
    router.post('/test/job', async (c) => {
      const id = await store.db.transaction((tx) => queue.enqueue(tx, 't.job', { hello: 1 }, { singletonKey: 'k' }));
      return c.json({ id }, 201);
    });
    return router;
  },
  start: async ({ queue, log }) => {
    await queue.define('t.job');
    await queue.work('t.job', ({ signal, attempt }) => {
      log(`job attempt ${attempt}`);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
  },
};
