/** A run goes on after a fault: what failed is replaced, and what was not the agent's doing is done again by a resume. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TaskInput } from '../../src/cases/index.ts';
import { hostileServer } from '../support/hostile-server.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { runTasks } from '../support/run-tasks.ts';
import { agent, moves, NEVER, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 3 });
});
afterAll(() => lab[Symbol.asyncDispose]());

test.concurrent('a frozen tool server is replaced before the next episode, whether it has left a call unanswered or not', async () => {
  const about = (id: string, query: string, changes: Partial<TaskInput> = {}): TaskInput =>
    task(lab, `/small?${query}`, { id, success: { kind: 'url', pattern: '/small' }, ...changes });
  using run = await runTasks(
    lab,
    [
      about('unanswered', 'freeze-now', { maxDurationMs: 500 }),
      about('after-it', 'x'),
      about('answered', 'freeze-after', { success: NEVER }),
      about('after-that', 'x'),
    ],
    // The third agent does nothing, so that the server has answered all calls when it is frozen.
    agent(async (session) => session.task.id === 'answered' || session.step(read)),
    { server: hostileServer(), concurrency: 1 },
  );
  const results = await run.execute();
  expect(results.map(({ taskId, outcome }) => [taskId, outcome])).toEqual([
    ['unanswered', 'server_error'],
    ['after-it', 'passed'],
    ['answered', 'failed'],
    ['after-that', 'passed'],
  ]);
  expect(run.notBegun).toEqual([]);
});

test.concurrent('start pages that do not load are faults of the environment, and a resume tries them again', async () => {
  let isMended = false;
  const site: Server = createServer(({ url = '' }, response) => {
    if (isMended) response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Mended</h1>');
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (url === '/503') response.writeHead(503).end('busy');
    // The connection is cut before anything was said.
    else response.destroy();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  try {
    const about = (id: string, startUrl: string): TaskInput =>
      task(lab, startUrl, { id, success: { kind: 'dom_text', selector: 'h1', contains: 'Mended' } });
    using run = await runTasks(
      lab,
      [
        about('http-503', `${origin}/503`),
        about('cut-off', `${origin}/cut`),
        about('redirect-loop', `${origin}/loop`),
        about('dead-host', 'http://nowhere.invalid/'),
        task(lab, '/small', { id: 'the-agent-fails', success: NEVER }),
      ],
      moves(read),
    );
    const tried = async () => (await run.execute()).map(({ taskId, outcome, attempt }) => [taskId, outcome, attempt]);
    expect(await tried()).toEqual([
      ['http-503', 'env_error', 1],
      ['cut-off', 'env_error', 1],
      ['redirect-loop', 'env_error', 1],
      ['dead-host', 'env_error', 1],
      ['the-agent-fails', 'failed', 1],
    ]);
    isMended = true;
    expect(await tried()).toEqual([
      ['http-503', 'passed', 2],
      ['cut-off', 'passed', 2],
      ['redirect-loop', 'passed', 2],
      ['dead-host', 'env_error', 2],
      ['the-agent-fails', 'failed', 1],
    ]);
  } finally {
    site.closeAllConnections();
    site.close();
  }
});
