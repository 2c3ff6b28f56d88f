import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRoutes, type RunningServer, startServer } from '../../src/server/index.ts';
import { FolderArtifacts, Queue } from '../../src/store/index.ts';
import { KEYS } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { heardCommand } from '../support/heard-command.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { sums } from './launched.ts';

let engine: EngineUnderTest;
let models: ModelServer;
let server: RunningServer;
beforeAll(async () => {
  [engine, models] = await Promise.all([engines[0].prepare(), startModelServer()]);
  const store = await engine.open();
  server = await startServer({
    store,
    queue: await Queue.start(store),
    artifacts: new FolderArtifacts(engine.flags()[1] ?? ''),
    version: '1.2.3',
    routeModules: [apiRoutes({ keys: KEYS, askLimits: { attempts: 1 } })],
    host: '127.0.0.1',
    port: 0,
    allowLocalProviders: true,
  });
  await post('/datasets', { name: 'Sums', items: sums(5) });
  for (const name of ['Models', 'Twin', 'Twin']) {
    await post('/providers', { name, kind: 'openai-compatible', base_url: models.baseUrl });
  }
});
afterAll(async () => {
  await server?.stop();
  await engine?.close();
  await models?.[Symbol.asyncDispose]();
});

async function post(place: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(new URL(place, server.url), { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

const waymark = (...args: string[]) =>
  heardCommand(['run', ...(args.includes('--api') ? [] : ['--api', server.url]), ...args], '/');

test('a dataset is launched by name, waited for and scored; the exit code says how it went', async () => {
  const good = await waymark('Sums', '--provider', 'models', '--model', 'adder', '--max-items', '4');
  expect(good.err).toMatch(/^run [0-9a-f-]{36}: 4 items\nwarning: 1 more items are in the scope/);
  expect(good.out).toMatch(
    /: completed\n4 of 4 items answered, 0 with errors, 0 missing\n100\.0 % right, over 4 of 4 items \(scoring done\)\n$/,
  );
  expect(good.code).toBe(0);
  const bad = await waymark('Sums', '--provider', 'Models', '--model', 'always-401', '--concurrency', '1', '--json');
  expect(bad).toMatchObject({ code: 1, err: '' });
  expect(JSON.parse(bad.out)).toMatchObject({
    status: 'failed',
    status_reason: 'The endpoint replied 401: Incorrect API key provided.',
    scoring_status: 'none',
    accuracy: null,
  });
  const detached = await waymark('Sums', '--provider', 'Models', '--model', 'adder', '--detach', '--json');
  expect(JSON.parse(detached.out)).toMatchObject({ run_id: expect.any(String), items: 5 });
});

test('waymark grade --api grades the answers of a stored run by further graders, and refuses what is not for a server', async () => {
  const ran = await waymark('Sums', '--provider', 'models', '--model', 'adder', '--json');
  const { run_id } = JSON.parse(ran.out) as { run_id: string };
  const grade = (...args: string[]) => heardCommand(['grade', run_id, '--api', server.url, ...args], '/');
  const graded = await grade('--grader', 'answer', '--json');
  expect(graded, graded.err).toMatchObject({ code: 0 });
  expect(JSON.parse(graded.out)).toMatchObject({ status: 'done', counts: { pass: 5, fail: 0, error: 0, skipped: 0 } });
  const said = await grade('--grader', 'answer');
  expect(said.out).toMatch(/^done: 0 pass, 0 fail, 0 could not be graded, 0 skipped\n$/);
  const judged = await grade('--grader', 'rubric');
  expect(judged.err).toContain("rubric can't grade without a model, and no judge is chosen.");
  expect(await grade('--grader', 'command')).toMatchObject({ code: 2 });
  expect((await grade('--grader', 'webjudge')).err).toContain('The grader webjudge grades browser tasks');
  expect(await grade()).toMatchObject({ code: 2, err: expect.stringContaining('Say which grader') });
});

test('what is wrong with a call is said', async () => {
  const said = async (...args: string[]) => {
    const { code: exit, out } = await waymark(...args, '--json');
    return { exit, ...(JSON.parse(out) as { error: { code: string; message: string; hint: string } }).error };
  };
  expect(await said()).toMatchObject({ exit: 2, message: 'Give the name or the id of one dataset.' });
  expect(await said('Sums')).toMatchObject({ exit: 2, message: 'Give --provider and --model.' });
  const to = ['--provider', 'Models', '--model', 'adder'];
  expect(await said('Nothing', ...to)).toMatchObject({
    exit: 2,
    message: 'There is no dataset Nothing.',
    hint: 'There are: Sums.',
  });
  expect(await said('Sums', '--provider', 'Twin', '--model', 'm')).toMatchObject({
    message: '2 of the API providers are called Twin.',
  });
  expect(await said('Sums', ...to, '--temperature', 'hot')).toMatchObject({
    message: '--temperature takes a number, not "hot".',
  });
  expect(await said('Sums', ...to, '--concurrency', '1000')).toMatchObject({ exit: 2 });
  expect(await said('Sums', ...to, '--api', 'http://127.0.0.1:9/')).toMatchObject({
    exit: 3,
    message: 'No server answers at http://127.0.0.1:9/.',
  });
});

test('waymark launch gives the new command', async () => {
  expect(await heardCommand(['launch', 'Sums', '--provider', 'Models', '--model', 'adder'], '/')).toEqual({
    code: 2,
    out: '',
    err: 'waymark: waymark launch is part of waymark run now: waymark run <dataset> --api http://127.0.0.1:7520/ --provider <name> --model <model>.\nSee: waymark --help\n',
  });
});
