import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WaymarkError } from '../../errors/index.ts';
import { checkSandbox } from './browser.ts';
import { checkDisk, checkRunFolder, checkStateFolder } from './folders.ts';
import { checkModelKeys, checkPostgres, checkToolServers } from './optional.ts';
import { checkOrphans } from './orphans.ts';
import { checkPathNode } from './path-node.ts';
import { renderChecks } from './render.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
  chmodSync(path.join(folder, file), 0o755);
}

describe('sandbox', () => {
  test('root gets a warning, because the browser runs without it', () => {
    expect(checkSandbox(0)).toMatchObject({ status: 'warning', fix: expect.stringContaining('ordinary user') });
  });
  test('other users, and systems without user ids, have it', () => {
    expect(checkSandbox(1000).status).toBe('ok');
    expect(checkSandbox(undefined).status).toBe('ok');
  });
});

describe('node in the PATH', () => {
  const node = (version: string) => `#!/bin/sh\necho ${version}\n`;
  test('one that is too old is a warning that says what to use in its place', async () => {
    put('old/node', node('v20.20.2'));
    put('node_modules/.bin/node', node('v24.1.0'));
    const ours = path.join(folder, 'node_modules/.bin');
    // As npm sets it for its scripts: its own folder in front is not what a shell has.
    const check = await checkPathNode({ PATH: `${ours}:${folder}/old` }, folder);
    expect(check).toMatchObject({
      required: false,
      status: 'warning',
      found: `v20.20.2 at ${folder}/old/node`,
      fix: `Plain \`node\` cannot run Waymark here. Use npm run waymark, or ${ours}/node in the place of node.`,
    });
  });
  test('one that is new enough is fine; none at all, and one that does not start, are warnings', async () => {
    put('new/node', node('v24.1.0'));
    put('broken/node', '#!/bin/sh\nexit 1\n');
    expect(await checkPathNode({ PATH: `${folder}/none:${folder}/new` }, folder)).toMatchObject({ status: 'ok' });
    expect(await checkPathNode({ PATH: `${folder}/none` }, folder)).toMatchObject({ status: 'warning', found: 'none' });
    expect(await checkPathNode({ PATH: `${folder}/broken` }, folder)).toMatchObject({
      status: 'warning',
      found: `${folder}/broken/node does not say its version`,
      fix: 'Install Node 24 or later from https://nodejs.org.',
    });
  });
});

describe('state folder', () => {
  test('is checked by writing to it', () => {
    expect(checkStateFolder(() => folder)).toMatchObject({ status: 'ok', found: `${folder} is writable` });
    expect(checkStateFolder(() => path.join(folder, 'gone'))).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('ENOENT'),
      fix: 'Set WAYMARK_STATE_DIR to a folder that you can write to.',
    });
  });
  test("another user's folder is a problem, with the message of the error", () => {
    const foreign = new WaymarkError({ code: 'state_folder_foreign', message: '/x belongs to another user.' });
    const check = checkStateFolder(() => {
      throw foreign;
    });
    expect(check).toMatchObject({ status: 'problem', found: '/x belongs to another user.' });
  });
});

describe('run folder', () => {
  test('exists, or can be created', () => {
    expect(checkRunFolder(folder).found).toBe(`${folder}/.waymark can be created`);
    mkdirSync(path.join(folder, '.waymark'));
    expect(checkRunFolder(folder).found).toBe(`${folder}/.waymark is writable`);
  });
  test('is a problem if it cannot be created', () => {
    const gone = path.join(folder, 'gone');
    expect(checkRunFolder(gone)).toMatchObject({
      status: 'problem',
      fix: 'Run waymark in a folder that you can write to.',
    });
  });
});

test.each([
  [50, 'ok'],
  [1, 'warning'],
  [0.1, 'problem'],
])('%d GB free is %s', (gigabytes, status) => {
  const check = checkDisk(folder, () => gigabytes * 1024 ** 3);
  expect(check.status).toBe(status);
  expect(check.fix === undefined).toBe(status === 'ok');
  expect(check.found).toBe(`${gigabytes.toFixed(1)} GB free in ${folder}`);
});

test('free space is measured', () => {
  expect(checkDisk(folder).details?.['freeBytes']).toBeGreaterThan(0);
});

describe('orphans', () => {
  test('none', () => {
    expect(
      checkOrphans(
        () => [],
        () => [],
      ),
    ).toMatchObject({ status: 'ok', found: 'no browsers or tool servers of killed runs' });
  });
  test('counts what was cleaned up', () => {
    const check = checkOrphans(
      () => [{ pids: [1, 2] }, { pids: [] }],
      () => ['4999999-01234567'],
    );
    expect(check).toMatchObject({
      status: 'ok',
      found:
        'cleaned up after killed runs: profiles removed 2, processes ended 2; tool servers ended 1 (4999999-01234567)',
      details: { profiles: 2, processes: 2, servers: '4999999-01234567' },
    });
  });
  test('a process registry that cannot be read is a warning', () => {
    const check = checkOrphans(
      () => {
        throw new Error('EACCES');
      },
      () => [],
    );
    expect(check.status).toBe('warning');
  });
});

describe('tool servers', () => {
  test('are found in servers/ first, then in the working folder', () => {
    put('root/servers/node_modules/@playwright/mcp/package.json', '{"version":"1.0.0"}');
    put('cwd/node_modules/@playwright/mcp/package.json', '{"version":"2.0.0"}');
    put('cwd/node_modules/chrome-devtools-mcp/package.json', '{"version":"3.0.0"}');
    expect(checkToolServers(path.join(folder, 'cwd'), path.join(folder, 'root'))).toMatchObject({
      status: 'ok',
      found: '@playwright/mcp 1.0.0, chrome-devtools-mcp 3.0.0',
    });
  });
  test('without one there is a warning with the command that installs one', () => {
    expect(checkToolServers(folder, folder)).toMatchObject({
      status: 'warning',
      found: 'none installed',
      fix: expect.stringContaining('npm install @playwright/mcp'),
    });
  });
});

describe('PostgreSQL', () => {
  test('the newest installed version is chosen by number, not alphabetically', () => {
    const pg = path.join(folder, 'pg');
    for (const version of ['9', '17', '16', '100']) {
      put(`pg/${version}/bin/psql`, '');
      const newest = version === '16' ? '17' : version;
      expect(checkPostgres({}, pg).details).toEqual({ binaries: path.join(pg, newest, 'bin'), DATABASE_URL: false });
    }
  });
  test('otherwise the one on PATH', () => {
    put('bin/psql', '');
    const check = checkPostgres({ PATH: path.join(folder, 'bin') }, path.join(folder, 'pg'));
    expect(check).toMatchObject({ status: 'ok', found: `binaries in ${folder}/bin, DATABASE_URL is not set` });
  });
  test('a URL is shown by the name of its variable, never by value', () => {
    const check = checkPostgres({ DATABASE_URL: 'postgres://u:secret@h/d' }, folder);
    expect(check).toMatchObject({ status: 'ok', found: 'no binaries, DATABASE_URL is set' });
    expect(JSON.stringify(check)).not.toContain('secret');
  });
  test('nothing is a warning', () => {
    expect(checkPostgres({}, folder).status).toBe('warning');
  });
});

describe('model keys', () => {
  test('are shown by name, never by value', () => {
    const check = checkModelKeys({ OPENAI_API_KEY: 'sk-secret', ANTHROPIC_API_KEY: '' });
    expect(check.found).toBe('OPENAI_API_KEY set, ANTHROPIC_API_KEY not set, GOOGLE_GENERATIVE_AI_API_KEY not set');
    expect(check.status).toBe('ok');
    expect(JSON.stringify(check)).not.toContain('sk-secret');
  });
  test('none is a warning', () => {
    expect(checkModelKeys({})).toMatchObject({ status: 'warning', fix: expect.any(String) });
  });
});

test('rows are printed in two groups, each fix under its finding', () => {
  const text = renderChecks(
    [
      { id: 'a', title: 'Node', required: true, status: 'ok', found: 'v24' },
      { id: 'b', title: 'Browser', required: true, status: 'problem', found: 'none\nat all', fix: 'get one\nor two' },
      { id: 'c', title: 'Keys', required: false, status: 'warning', found: 'none', fix: 'set one' },
    ],
    (_, painted) => painted,
  );
  expect(text).toBe(
    [
      'Required',
      'ok       Node     v24',
      'problem  Browser  none',
      '                  at all',
      '                  → get one',
      '                    or two',
      '',
      'Optional',
      'warning  Keys     none',
      '                  → set one',
      '',
      'Not ready: browser.',
      '',
    ].join('\n'),
  );
});
