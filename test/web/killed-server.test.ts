/** kill -9 of a server while a run that it started goes on: nothing is lost or left behind, and the next server goes on with the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBrowser, processesWith } from '../../src/chromium/index.ts';
import { version } from '../../src/cli/version.ts';
import { readReport, verifyRun } from '../../src/runs/index.ts';
import { KEPT_CASE, keepSuite } from './kept-suite.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/cli/main.ts');
const RUN = { timeout: 120_000, interval: 20 };
const TRIALS = 12;

let folder: string;
let server: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'wm-killed-'));
});
afterEach(async () => {
  await kill();
  await expect.poll(left, RUN).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

const at = (...names: string[]) => path.join(folder, ...names);
/** Processes that have anything to do with the folder: the run, its browsers, their servers. */
const left = () =>
  processesWith(folder)
    .filter(({ pid }) => pid !== process.pid)
    .map(({ commandLine }) => commandLine.slice(0, 200));

async function serve(suite: string): Promise<(method: string, pathname: string, body?: object) => Promise<Response>> {
  const places = ['--runs', at('runs'), '--suites', suite, '--data', at('data')];
  server = spawn(process.execPath, [MAIN, 'serve', ...places, '--port', '0', '--json'], {
    cwd: folder,
    env: { ...process.env, WAYMARK_STATE_DIR: at('state'), WAYMARK_BROWSER: findBrowser()?.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line');
  const { url } = JSON.parse(String(line)) as { url: string };
  return (method, pathname, body) =>
    fetch(new URL(pathname, url), {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
}

async function kill(): Promise<void> {
  if (!server || server.signalCode !== null || server.exitCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
}

const rootOf = () => readdirSync(at('runs')).map((name) => at('runs', name))[0] ?? '';
const journalOf = (trial: number) => path.join(rootOf(), 'episodes', KEPT_CASE, `trial-${trial}`, 'events.jsonl');
const lines = (file: string): { type: string; interrupted?: boolean }[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const hasEnded = (trial: number) => existsSync(journalOf(trial)) && lines(journalOf(trial)).at(-1)?.type === 'stop';

test('in the middle: the run ends in good order by itself, the next server shows it as it is, and resumes it to its end', async () => {
  const suite = keepSuite(folder);
  const first = await serve(suite);
  const begun = await first('POST', '/run-folders', { suite: 'kept', trials: TRIALS, concurrency: 1 });
  const { id } = (await begun.json()) as { id: string };
  await expect.poll(() => hasEnded(2), RUN).toBe(true);
  const kept = readFileSync(journalOf(1), 'utf8');
  await kill();
  // Nobody ends its process but itself; browsers go with it.
  await expect.poll(left, RUN).toEqual([]);
  const root = rootOf();
  const { finished = 0, outcomes } = readReport(root).summary;
  expect(finished).toBeGreaterThanOrEqual(2);
  expect(finished).toBeLessThan(TRIALS);
  expect(outcomes).toEqual({ failed: finished });

  const second = await serve(suite);
  const shown = async () => (await second('GET', `/all-runs/${id}`)).json();
  expect(await shown()).toMatchObject({ state: 'cancelled', planned: TRIALS, done: finished });
  expect(await (await second('GET', `/run-folders/${id}/actions`)).json()).toMatchObject({
    allowed: true,
    isStartedHere: true,
    problem: null,
  });
  expect((await second('POST', `/run-folders/${id}/retry`, { which: 'faults' })).status).toBe(202);
  await expect.poll(shown, RUN).toMatchObject({ state: 'completed', planned: TRIALS, done: TRIALS });
  await expect.poll(() => processesWith(root), RUN).toEqual([]);
  // What had ended was not done again, and what was torn is there beside its second attempt.
  expect(readFileSync(journalOf(1), 'utf8')).toBe(kept);
  const attempts = readdirSync(path.join(root, 'episodes', KEPT_CASE));
  const again = attempts.filter((name) => name.includes('attempt'));
  expect(again.length).toBeLessThanOrEqual(1);
  expect(attempts.length).toBe(TRIALS + again.length);
  expect(await verifyRun(root, { version: version() })).toMatchObject({ ok: true, evaluated: TRIALS });
}, 400_000);

test('in the very moment in which the run has begun: the next server knows how to resume it', async () => {
  const suite = keepSuite(folder);
  const first = await serve(suite);
  const asked = first('POST', '/run-folders', { suite: 'kept', trials: 2, concurrency: 1 }).catch(() => undefined);
  while (!existsSync(at('runs')) || !existsSync(path.join(rootOf(), 'run.json'))) await turn();
  await kill();
  await asked;
  await expect.poll(left, RUN).toEqual([]);
  const second = await serve(suite);
  const { runs } = (await (await second('GET', '/all-runs')).json()) as { runs: { id: string; state: string }[] };
  expect(runs).toHaveLength(1);
  const id = runs[0]?.id;
  expect(await (await second('GET', `/run-folders/${id}/actions`)).json()).toMatchObject({ isStartedHere: true });
  expect((await second('POST', `/run-folders/${id}/retry`, { which: 'faults' })).status).toBe(202);
  await expect
    .poll(async () => (await second('GET', `/all-runs/${id}`)).json(), RUN)
    .toMatchObject({ state: 'completed', done: 2 });
}, 300_000);
