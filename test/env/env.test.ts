/** `waymark env`: sessions over HTTP are attempts of a run. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveEnv } from '../../src/env/index.ts';
import { executeRun, FolderRunStore, readEvents, readReport, resolveRun, writeReports } from '../../src/runs/index.ts';
import { type Folder, temporaryFolder } from '../cli/command-line.ts';
import { isRunning } from '../cli/descendants.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TASKS = path.join(ROOT, 'fixtures/tasks');
const CLICK = { tool: 'interact', arguments: { action: 'click', selector: '#advance' } };

let folder: Folder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

interface Env extends AsyncDisposable {
  root: string;
  post(where: string, body: unknown, headers?: Record<string, string>): Promise<{ status: number; body: Answer }>;
  stop(): Promise<void>;
}
type Answer = Record<string, never> & { sessionId: string; error: { code: string; message: string } };

async function startEnv(
  options: Partial<Parameters<typeof serveEnv>[0]['choices']> & { waitMs?: number } = {},
): Promise<Env> {
  const { waitMs, ...choices } = options;
  const root = path.join(folder.path, 'run');
  const stopping = new AbortController();
  const ready = Promise.withResolvers<{ url: string; token: string }>();
  const serving = serveEnv({
    choices: { tasks: [TASKS], screenshots: false, version: '0', concurrency: 1, ...choices },
    openStore: () => new FolderRunStore(root),
    signal: stopping.signal,
    waitMs,
    onReady: ready.resolve,
  });
  serving.catch(ready.reject);
  const { url, token } = await ready.promise;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await serving;
  };
  return {
    root,
    post: async (where, body, headers = {}) => {
      const given = { authorization: `Bearer ${token}`, ...headers };
      const response = await fetch(url + where, { method: 'POST', headers: given, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Answer };
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

test('a session is reset, stepped and evaluated, and the run has its report', async () => {
  await using env = await startEnv();
  const reset = await env.post('/reset', { task: 'local-recovery-stall' });
  expect(reset.body).toMatchObject({
    goal: 'Press the button until the page says that you arrived.',
    tools: expect.arrayContaining([expect.objectContaining({ name: 'read_page', inputSchema: expect.anything() })]),
    observation: { url: expect.stringContaining('/recovery/progress-positive'), title: expect.any(String) },
    info: { trial: 1, steps: { used: 0, limit: 30 } },
  });
  const { sessionId } = reset.body;
  const first = await env.post('/step', { sessionId, call: CLICK });
  expect(first.body).toMatchObject({ result: { isError: false }, done: false, truncated: false });
  // Neither a reward nor a verdict: the client is evaluated.
  expect(Object.keys(first.body).sort()).toEqual(['done', 'info', 'result', 'truncated']);
  await env.post('/step', { sessionId, call: CLICK });
  expect((await env.post('/step', { sessionId, call: CLICK })).body).toMatchObject({ done: true, truncated: false });
  const evaluated = await env.post('/evaluate', { sessionId });
  expect(evaluated.body).toMatchObject({
    status: 'passed',
    verdict: 'pass',
    evidence: { url: expect.stringContaining('#progress-3') },
    grades: expect.any(Array),
  });
  // A call after the end has no result; the session stays as it is.
  expect((await env.post('/step', { sessionId, call: CLICK })).body).toMatchObject({ result: null, done: true });
  await env.stop();
  const { report } = await writeReports(env.root);
  expect(report.summary).toMatchObject({ passed: 1 });
  expect(readReport(env.root)).toBeDefined();
});

test('the journal is that of the same calls by a transcript, but for ids and times', async () => {
  const tasks = path.join(folder.path, 'tasks');
  mkdirSync(tasks);
  const moves = [{ tool: 'read_page', arguments: {} }, CLICK, CLICK, { tool: 'no_such_tool', arguments: {} }];
  const task = JSON.parse(readFileSync(path.join(TASKS, 'local-recovery-stall.task.json'), 'utf8'));
  const transcript = {
    format: 'waymark.transcript.v1',
    task: task.id,
    moves: moves.map((call) => ({ call })),
    answer: 'No.',
  };
  writeFileSync(path.join(tasks, 'a.task.json'), JSON.stringify({ ...task, oracle: '../a.json' }));
  writeFileSync(path.join(folder.path, 'a.json'), JSON.stringify(transcript));
  writeFileSync(
    path.join(tasks, 'fixture.ts'),
    `export { default } from ${JSON.stringify(path.join(TASKS, 'fixture.ts'))};\n`,
  );
  const run = await resolveRun({ tasks: [tasks], screenshots: false, version: '0' });
  const scripted = path.join(folder.path, 'scripted');
  {
    using store = new FolderRunStore(scripted);
    await executeRun(run, { store });
  }
  await using env = await startEnv({ tasks: [tasks] });
  const { sessionId } = (await env.post('/reset', { task: task.id })).body;
  for (const call of moves) await env.post('/step', { sessionId, call });
  expect((await env.post('/evaluate', { sessionId, answer: 'No.' })).body).toMatchObject({ status: 'failed' });
  await env.stop();
  const expected = await journalOf(scripted, task.id);
  expect(expected.length).toBeGreaterThan(20);
  expect(await journalOf(env.root, task.id)).toEqual(expected);
});

/** Without ids, times and who called. */
async function journalOf(root: string, id: string): Promise<unknown[]> {
  const events = await readEvents(path.join(root, 'episodes', id, 'trial-1', 'events.jsonl'));
  const left = new Set([
    'runId',
    'time',
    'at',
    'durationMs',
    'targetId',
    'id',
    'agent',
    'fingerprint',
    'findings',
    'settled',
    'watchedMs',
  ]);
  const port = (text: string): string =>
    text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1').replaceAll(/\d+(\.\d+)? ms/g, 'ms');
  const strip = (value: unknown): unknown => {
    if (typeof value === 'string') return port(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(strip);
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => (left.has(key) ? [] : [[key, strip(inner)]])),
    );
  };
  return events.map(strip);
}

test('with --expose-reward each step has its reward and its verdict, and the run is marked', async () => {
  await using env = await startEnv({ exposeReward: true });
  const { sessionId } = (await env.post('/reset', { task: 'local-recovery-stall' })).body;
  expect((await env.post('/step', { sessionId, call: CLICK })).body).toMatchObject({
    reward: expect.any(Number),
    verdict: 'fail',
  });
  await env.post('/close', { sessionId });
  await env.stop();
  const events = await readEvents(path.join(env.root, 'episodes/local-recovery-stall/trial-1/events.jsonl'));
  expect(events[0]).toMatchObject({ agent: { kind: 'env', config: { exposeReward: true } } });
  expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
    { message: expect.stringContaining('it was trained here, not evaluated') },
  ]);
});

test('a session that its client has left ends at its cap, and its slot serves the next one', async () => {
  await using env = await startEnv({ maxDurationMs: 3_000 });
  const abandoned = await env.post('/reset', { task: 'local-recovery-stall' });
  const next = await env.post('/reset', { task: 'local-recovery-stall' });
  expect(next.body).toMatchObject({ info: { trial: 2 } });
  expect((await env.post('/evaluate', { sessionId: abandoned.body.sessionId })).body).toMatchObject({
    status: 'timeout',
  });
  expect((await env.post('/close', { sessionId: next.body.sessionId })).body).toEqual({ closed: true });
});

test('steps run out: the last one is done and truncated', async () => {
  await using env = await startEnv({ maxSteps: 1 });
  const { sessionId } = (await env.post('/reset', { task: 'local-recovery-stall' })).body;
  expect((await env.post('/step', { sessionId, call: CLICK })).body).toMatchObject({ done: true, truncated: true });
});

test('the seed of a session is that of Math.random() in its pages', async () => {
  await using env = await startEnv();
  const drawn = async (seed: number): Promise<unknown> => {
    const { sessionId } = (await env.post('/reset', { task: 'local-recovery-stall', seed })).body;
    const call = { tool: 'javascript_tool', arguments: { code: 'Math.random()' } };
    const { result } = (await env.post('/step', { sessionId, call })).body as unknown as {
      result: { text: string; isError: boolean };
    };
    await env.post('/close', { sessionId });
    expect(result.isError).toBe(false);
    return result.text;
  };
  const [one, again, other] = [await drawn(1), await drawn(1), await drawn(2)];
  expect(one).toBe(again);
  expect(other).not.toBe(one);
});

test('what is not understood is refused with a sentence', async () => {
  await using env = await startEnv({ waitMs: 50 });
  const { sessionId } = (await env.post('/reset', { task: 'example-h1' })).body;
  const refused = async (where: string, body: unknown, headers = {}): Promise<unknown> => {
    const answer = await env.post(where, body, headers);
    return [answer.status, answer.body.error.code, answer.body.error.message];
  };
  expect(await refused('/reset', { task: 'example-h1' })).toEqual([
    503,
    'env_busy',
    'All sessions are in use, and none became free within 0.05 seconds.',
  ]);
  expect(await refused('/reset', { task: 'nothing' })).toEqual([400, 'request_invalid', 'There is no task "nothing".']);
  expect(await refused('/step', { sessionId, call: {} })).toMatchObject([
    400,
    'request_invalid',
    expect.stringContaining('call.tool'),
  ]);
  expect(await refused('/step', { sessionId: 'x', call: CLICK })).toEqual([
    404,
    'env_session_not_found',
    'There is no session "x".',
  ]);
  expect(await refused('/fly', {})).toEqual([
    404,
    'not_found',
    'There is no POST /fly; there are POST /reset, /step, /evaluate, /close.',
  ]);
  expect(await refused('/step', {}, { authorization: 'Bearer x' })).toMatchObject([
    401,
    'token_required',
    expect.anything(),
  ]);
});

const python = ['python3', 'python'].find((name) =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((place) => existsSync(path.join(place, name))),
);

test.skipIf(python === undefined)(
  'the Python example of the docs runs three tasks, eight sessions at a time; Ctrl-C leaves nothing behind (skipped without Python)',
  async () => {
    const page = readFileSync(path.join(ROOT, 'docs/how-to/drive-episodes-over-http.md'), 'utf8');
    const example = path.join(folder.path, 'example.py');
    writeFileSync(example, /^```python\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
    const out = path.join(folder.path, 'out');
    const args = ['src/cli/main.ts', 'env', 'fixtures/tasks', '--no-screenshots', '--json', '--out', out];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      const { url, token } = JSON.parse(line) as { url: string; token: string };
      const env = { ...process.env, WAYMARK_ENV_URL: url, WAYMARK_ENV_TOKEN: token };
      const { stdout } = await promisify(execFile)(python ?? '', [example], { env });
      const count = (text: string): number => stdout.split('\n').filter((each) => each === text).length;
      expect(count('example-h1 passed')).toBe(3);
      expect(count('local-recovery-stall passed')).toBe(3);
      expect(count('popup-message failed')).toBe(3);
    } finally {
      child.kill('SIGINT');
      await exited;
    }
    expect(isRunning(child.pid ?? 0)).toBe(false);
    expect(readdirSync(path.join(out, 'episodes')).sort()).toEqual([
      'example-h1',
      'local-recovery-stall',
      'popup-message',
    ]);
    expect(existsSync(path.join(out, 'report.html'))).toBe(true);
  },
);
