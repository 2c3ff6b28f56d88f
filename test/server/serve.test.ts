import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Queue } from '../../src/store/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';

const readySchema = z.object({ url: z.url(), open: z.url(), port: z.int(), pid: z.int(), engine: z.string() });

async function startServe(flags: string[], env: Record<string, string> = {}) {
  const script = path.join(import.meta.dirname, '../support/child-server.ts');
  const child = spawn(process.execPath, [script, '--port', '0', '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  return { child, exited, first: String(first.value), errors: () => errors };
}

/** `--json` errors are on several lines: joins what the child said until it ended. */
async function refusal(flags: string[]): Promise<unknown> {
  const script = path.join(import.meta.dirname, '../support/child-server.ts');
  const child = spawn(
    process.execPath,
    [script, ...(flags.includes('--port') ? [] : ['--port', '0']), '--json', ...flags],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, ...(JSON.parse(out) as object) };
}

describe.each(engines)('waymark serve on $name', ({ name, prepare }) => {
  let engine: EngineUnderTest;
  beforeAll(async () => {
    engine = await prepare();
    // The folder from the snapshot; the server itself has none in a checkout.
    await (await engine.open()).close();
  });
  afterAll(() => engine?.close());

  test('prints its address, and on SIGTERM answers what is under way, hands jobs back, and leaves nothing', async () => {
    const { child, exited, first, errors } = await startServe(engine.flags());
    const { url, pid } = readySchema.parse(JSON.parse(first));
    expect(pid).toBe(child.pid);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(await (await fetch(`${url}readyz`)).json()).toEqual({ ok: true });
    const { id } = (await (await fetch(`${url}test/job`, { method: 'POST' })).json()) as { id: string };
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await expect.poll(errors).toContain('job attempt 1');
    if (name === 'PGlite') {
      expect(await refusal(engine.flags())).toMatchObject({
        code: 3,
        error: { code: 'data_locked', message: expect.stringContaining(`is in use by process ${pid}, since `) },
      });
    }

    // Two requests that outlast the signal: one that is answered, one stream that ends. And a connection that only sits there.
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    await once(idle, 'connect');
    const events = await fetch(`${url}test/events/00000000-0000-0000-0000-000000000000`);
    const slow = fetch(`${url}test/slow`);
    await expect
      .poll(async () => (await (await fetch(`${url}metrics`)).text()).includes('route="/test/events/:id"'))
      .toBe(true);
    child.kill('SIGTERM');
    expect(await (await slow).json()).toEqual({ answered: true });
    expect(await events.text()).toBe('retry: 2000\n\n');
    expect(await exited).toEqual([0, null]);
    idle.destroy();
    await expect(fetch(`${url}healthz`)).rejects.toThrow();

    const store = await engine.open();
    await using queue = await Queue.start(store);
    await queue.define('t.job');
    expect(await queue.stats()).toEqual([{ name: 't.job', waiting: 1, active: 0, failed: 0 }]);
    await queue.stop();
    await store.close();
  });
});

test('for other machines only with a token', async () => {
  expect(await refusal(['--host', '0.0.0.0'])).toMatchObject({ code: 2, error: { code: 'usage_token_needed' } });
  expect(await refusal(['--port', 'x'])).toMatchObject({ code: 2, error: { code: 'usage_port' } });
});
