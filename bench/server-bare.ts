/** A hono server with one empty route, in a process of its own: what any answer costs before it does anything. */
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.get('/', (c) => c.json({ ok: true }));
const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/`, pid: process.pid })}\n`);
});
