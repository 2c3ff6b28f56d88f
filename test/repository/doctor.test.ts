import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { plainEnvironment, runProcess } from './run-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-doctor-flow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const state = path.join(folder, 'state');

function waymark(args: string[], env: NodeJS.ProcessEnv = {}) {
  const changes = { WAYMARK_STATE_DIR: state, ...env };
  return runProcess(process.execPath, [path.join(root, 'src/cli/main.ts'), ...args], {
    cwd: folder,
    env: plainEnvironment(changes),
  });
}

interface Report {
  ok: boolean;
  checks: { id: string; status: string; found: string; fix?: string; details?: Record<string, unknown> }[];
}
function rowOf(out: string, id: string) {
  return (JSON.parse(out) as Report).checks.find((check) => check.id === id);
}

test('on a machine that is ready it starts a browser and exits with code 0', async () => {
  const { code, out, err } = await waymark(['doctor', '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const report = JSON.parse(out) as Report;
  expect(report.ok).toBe(true);
  expect(report.checks.map(({ id }) => id)).toEqual([
    'node',
    'state_folder',
    'orphans',
    'browser',
    'sandbox',
    'run_folder',
    'disk',
    'path_node',
    'tool_servers',
    'postgresql',
    'model_keys',
  ]);
  expect(rowOf(out, 'browser')?.details).toMatchObject({
    version: expect.stringMatching(/^(Headless)?Chrome\/\d+/),
    path: expect.any(String),
  });
  for (const { status, fix } of report.checks) expect(fix === undefined).toBe(status === 'ok');
});

test('prints rows and a verdict, without colour codes in a pipe', async () => {
  const { code, out } = await waymark(['doctor']);
  expect(code).toBe(0);
  expect(out).toMatch(/^Required\nok {7}Node {10}v24\./);
  expect(out).toMatch(/\nReady\.\n$/);
  expect(out).not.toContain('\u001b');
});

test('a WAYMARK_BROWSER that does not exist is a problem with a fix, and exit code 1', async () => {
  const { code, out, err } = await waymark(['doctor', '--json'], { WAYMARK_BROWSER: '/no/such/browser' });
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(JSON.parse(out)).toMatchObject({ ok: false });
  expect(rowOf(out, 'browser')).toMatchObject({
    status: 'problem',
    found: 'WAYMARK_BROWSER names /no/such/browser, which does not exist.',
    fix: 'Give the path of a Chrome or Chromium executable, or leave WAYMARK_BROWSER out to use the one that is found.',
  });
});

test('a browser that does not start is a problem with its output', async () => {
  const broken = path.join(folder, 'broken-chrome');
  writeFileSync(broken, '#!/bin/sh\necho "libnothing.so is missing" >&2\nexit 127\n', { mode: 0o755 });
  const { code, out } = await waymark(['doctor', '--json', '--browser', broken]);
  expect(code).toBe(1);
  expect(rowOf(out, 'browser')).toMatchObject({
    status: 'problem',
    found: expect.stringContaining('libnothing.so is missing'),
  });
});

test('an address where no browser answers is a problem', async () => {
  const { code, out } = await waymark(['doctor', '--json', '--browser', 'http://127.0.0.1:9']);
  expect(code).toBe(1);
  expect(rowOf(out, 'browser')?.found).toMatch(/^No browser answers at http:\/\/127\.0\.0\.1:9: /);
});

test('leftovers of a killed run are cleaned up and counted', async () => {
  const profile = path.join(state, 'profiles', '0123456789abcdef');
  mkdirSync(profile, { recursive: true });
  mkdirSync(path.join(state, 'ledger'), { recursive: true });
  const gone = { pid: 2 ** 22 - 1, startedAt: 'before' };
  writeFileSync(
    path.join(state, 'ledger', '0123456789abcdef.json'),
    JSON.stringify({ profile, owner: gone, browser: gone }),
  );
  const { out } = await waymark(['doctor', '--json']);
  expect(rowOf(out, 'orphans')?.details).toEqual({ profiles: 1, processes: 0, servers: '' });
  expect(rowOf((await waymark(['doctor', '--json'])).out, 'orphans')?.details).toEqual({
    profiles: 0,
    processes: 0,
    servers: '',
  });
});

test('a state folder that cannot be created is a problem, not a crash', async () => {
  const file = path.join(folder, 'a-file');
  writeFileSync(file, '');
  const { code, out } = await waymark(['doctor', '--json'], { WAYMARK_STATE_DIR: path.join(file, 'state') });
  expect(code).toBe(1);
  expect(rowOf(out, 'state_folder')).toMatchObject({
    status: 'problem',
    fix: 'Set WAYMARK_STATE_DIR to a folder that you can write to.',
  });
  expect(rowOf(out, 'orphans')?.status).toBe('warning');
});

test('wrong usage is exit code 2, on stderr', async () => {
  expect(await waymark(['docter'])).toEqual({
    code: 2,
    out: '',
    err: 'waymark: There is no command "docter". Did you mean "doctor"?\nSee: waymark --help\n',
  });
});
