/** Schedules of browser tasks: started by the clock as `waymark run` in processes of their own, on a server that may start runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fireDue, RunFolders, requestStop, type StartedRuns, startScheduler } from '../../src/runs/index.ts';
import { failingTasks } from '../episode/command.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { startedRunsIn } from '../support/started-runs.ts';
import { type Api, idOf, openApi } from './api.ts';
import { Weeks } from './weeks.ts';

const repository = path.resolve(import.meta.dirname, '../..');
/** A process that never begins a run; it ends with this one. */
const HANGS = [process.execPath, '-e', "process.stdin.resume().on('end', () => process.exit())", '--'];
/** A run starts browsers, on a machine that does other things too. */
const RUN = { timeout: 60_000, interval: 50 };

describe.each(engines)('schedules of tasks on $name', ({ name, prepare }) => {
  let engine: EngineUnderTest;
  let folder: string;
  let folders: RunFolders;
  let started: StartedRuns;
  let api: Api;
  /** Shares the database, and may start nothing. A folder of data has one server. */
  let other: Api | undefined;

  const newStarted = (options?: { command: readonly string[] }) =>
    startedRunsIn(folder, {
      suites: [failingTasks],
      variants: [path.join(repository, 'variants')],
      ...options,
    });
  beforeAll(async () => {
    engine = await prepare();
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-scheduled-'));
    folders = new RunFolders([path.join(folder, 'runs')]);
    started = newStarted();
    api = await openApi(engine, undefined, { schedulePollMs: 10, folders, started });
    other = name === 'PGlite' ? undefined : await openApi(engine, undefined, { schedulePollMs: 10, folders });
    for (const server of [api, other]) await server?.work();
  }, 120_000);
  beforeEach(() => clock(weeks.next()));
  afterAll(async () => {
    await started?.[Symbol.asyncDispose]();
    for (const server of [api, other]) await server?.[Symbol.asyncDispose]();
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const weeks = new Weeks();
  const clock = (time: Date) => {
    for (const server of [api, other]) if (server) server.clock.now = time;
  };
  const input = (tasks: object = {}, more: object = {}) => ({
    name: 'Hourly tasks',
    cron: '0 * * * *',
    tasks: { suite: 'tasks-failing', filter: 'fail-wrong-text', ...tasks },
    ...more,
  });
  const create = async (tasks: object = {}, more: object = {}) =>
    idOf(await api.call('POST', '/schedules', input(tasks, more)));
  const shown = async (id: string, server = api) => (await server.call('GET', `/schedules/${id}`)).body;
  const remove = (id: string) => api.call('DELETE', `/schedules/${id}`);
  const states = () => folders.index.entries().map(({ id, state }) => ({ id, state }));

  test('a run is started at its time, once, and is the last run of the schedule; while it goes on, a time is left out', async () => {
    const made = await api.call('POST', '/schedules', input({ trials: 40, concurrency: 1 }));
    const id = idOf(made);
    expect(made).toMatchObject({
      status: 201,
      body: {
        tasks: { suite: 'tasks-failing', filter: 'fail-wrong-text', trials: 40, concurrency: 1 },
        next_run_at: weeks.at(1).toISOString(),
        last_run: null,
        last_problem: null,
        blocker: null,
      },
    });
    clock(weeks.at(1));
    await expect.poll(async () => (await shown(id))['last_run'], RUN).toMatchObject({ state: 'running', planned: 40 });
    const [run, ...more] = states();
    expect(more).toEqual([]);
    expect(await shown(id)).toMatchObject({
      next_run_at: weeks.at(2).toISOString(),
      last_fired_at: weeks.at(1).toISOString(),
      last_run: { id: run?.id, state: 'running' },
      last_problem: null,
    });
    clock(weeks.at(2));
    await expect
      .poll(async () => (await shown(id))['last_problem'], RUN)
      .toBe('The run before was still under way: this time was left out.');
    expect(await shown(id)).toMatchObject({ next_run_at: weeks.at(3).toISOString(), last_run: { id: run?.id } });
    expect(states()).toEqual([{ id: run?.id, state: 'running' }]);
    requestStop(folders.index.entries()[0]?.root ?? '');
    await expect.poll(async () => (await shown(id))['last_run'], RUN).not.toMatchObject({ state: 'running' });

    // Its settings are those of the schedule at that time.
    await api.call('PUT', `/schedules/${id}`, input({}, { enabled: false }));
    expect(await shown(id)).toMatchObject({ enabled: false, next_run_at: null, last_run: { id: run?.id } });
    const now = await api.call('POST', `/schedules/${id}/run-now`);
    expect(now).toMatchObject({ status: 202, body: { status: 'running' } });
    await expect
      .poll(async () => (await shown(id))['last_run'], RUN)
      .toMatchObject({ id: now.body['run_id'], state: 'completed', passed: 0, planned: 1 });
    await remove(id);
    expect(states().map((one) => one.id)).toEqual([now.body['run_id'], run?.id]);
  }, 400_000);

  test('what can not be started is refused, or said with the schedule', async () => {
    for (const [body, status, code] of [
      [input({ suite: 'none' }), 404, 'not_found'],
      [input({ variant: 'none' }), 404, 'not_found'],
      [input({ agent: 'single', model: 'openai:x', baseUrl: 'http://169.254.169.254/' }), 422, undefined],
      [input({}, { cron: 'never' }), 422, 'cron_invalid'],
    ] as const)
      expect(await api.call('POST', '/schedules', body), JSON.stringify(body)).toMatchObject({
        status,
        ...(code ? { body: { code } } : {}),
      });
    // What is wrong is said of the form that was meant.
    expect(await api.call('POST', '/schedules', input({ suite: 7 }))).toMatchObject({
      status: 400,
      body: { code: 'request_invalid', issues: [{ path: 'tasks.suite' }] },
    });
    expect(await api.call('POST', '/schedules', { ...input(), model: 'm' })).toMatchObject({
      status: 400,
      body: { issues: [{ message: 'Unrecognized key: "model"' }] },
    });

    const id = await create({ filter: 'no-such-task' }, { name: 'Nothing' });
    clock(weeks.at(1));
    await expect
      .poll(async () => (await shown(id))['last_problem'], RUN)
      .toBe('No task fits all that was asked for. Leave out --task, --tag, --category or --filter.');
    expect(await shown(id)).toMatchObject({ last_run: null, next_run_at: weeks.at(2).toISOString() });
    await remove(id);
    expect((await api.call('GET', '/schedules')).body).toEqual({ schedules: [] });
  }, 200_000);

  test('a server that may start no runs says so with the schedule and in its log, and starts none; it can disable one', async () => {
    const id = await create({}, { name: 'Not here', enabled: false });
    const log: string[] = [];
    // As a server that was started again without being allowed to.
    const stopping = new AbortController();
    const closed = { ...api.context, now: () => weeks.at(12), folders };
    await using guarded = await openApi({ ...engine, open: async () => api.store }, undefined, { folders });
    expect(await shown(id, guarded)).toMatchObject({
      last_run: null,
      blocker: expect.stringMatching(/^This server does not start runs\. Start it with --allow-runs yes/),
    });
    for (const [method, at, body] of [
      ['POST', '/schedules', input()],
      ['PUT', `/schedules/${id}`, input()],
      ['POST', `/schedules/${id}/run-now`, undefined],
    ] as const)
      expect(await guarded.call(method, at, body)).toMatchObject({ status: 403, body: { code: 'runs_not_allowed' } });

    // Due, with only servers that may not: it stays due, and nothing is started.
    const before = states();
    await api.call('PUT', `/schedules/${id}`, input({}, { name: 'Not here' }));
    expect(await fireDue(closed)).toBe(0);
    startScheduler({ ...closed, stopping: stopping.signal, log: (line) => log.push(line), pollMs: 10 });
    await expect
      .poll(() => log, RUN)
      .toEqual([
        'schedules: 1 of browser tasks are not run here, because this server does not start runs (--allow-runs yes)',
      ]);
    stopping.abort();
    expect(await shown(id, guarded)).toMatchObject({ next_run_at: weeks.at(1).toISOString(), last_fired_at: null });
    expect(states()).toEqual(before);
    expect(await guarded.call('PUT', `/schedules/${id}`, input({}, { enabled: false }))).toMatchObject({
      status: 200,
      body: { enabled: false, next_run_at: null },
    });
    await remove(id);
  }, 120_000);

  test('a server that ends while it starts a run has said so: the time is neither lost without a word nor taken twice', async () => {
    const id = await create({}, { name: 'Torn', enabled: true });
    const hanging = newStarted({ command: HANGS });
    const starter = { started: hanging, assertUrl: async () => [] };
    const context = { ...api.context, folders, starter, now: () => weeks.at(1) };
    const fired = fireDue(context);
    await expect
      .poll(async () => (await shown(id))['last_problem'], RUN)
      .toBe('The server ended while it started this run: look for it in the list of runs.');
    expect(await shown(id)).toMatchObject({ next_run_at: weeks.at(2).toISOString(), last_run: null });
    expect(await fireDue(context)).toBe(0);
    await hanging[Symbol.asyncDispose]();
    expect(await fired).toBe(0);
    expect((await shown(id))['last_problem']).toMatch(/^The run did not start\./);
    await remove(id);
  }, 120_000);
});
