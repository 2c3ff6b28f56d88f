import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainEnvironment, runProcess } from './run-process.ts';

// The bootstrap with a fake npm that fails or works as the test needs. bootstrap.test.ts uses the real one.
const root = path.resolve(import.meta.dirname, '../..');
let clone: string;
let bin: string;

beforeEach(() => {
  clone = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-bootstrap-')));
  bin = path.join(clone, 'bin');
  mkdirSync(bin);
  mkdirSync(path.join(clone, 'scripts'));
  cpSync(path.join(root, 'scripts/bootstrap.mjs'), path.join(clone, 'scripts/bootstrap.mjs'));
  lock('1.0.0');
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function lock(version: string): void {
  const packages = {
    '': { name: 'clone' },
    'node_modules/x': { version, integrity: `sha-${version}` },
    'node_modules/for-another-system': { version, optional: true },
  };
  writeFileSync(path.join(clone, 'package-lock.json'), JSON.stringify({ packages }));
}

function fakeNpm(script: string): void {
  writeFileSync(path.join(bin, 'npm'), `#!/bin/sh\necho "$@" >> "${clone}/calls"\n${script}\n`, { mode: 0o755 });
}
/** The part of an npm ci result that the bootstrap reads, without the package for another system. */
const INSTALLS = [
  'mkdir -p node_modules/node/bin',
  ': > node_modules/node/bin/node',
  'sleep 0.3',
  `sed 's/,"node_modules.for-another-system":{[^}]*}//' package-lock.json > node_modules/.package-lock.json`,
].join(' && ');

const calls = () =>
  existsSync(path.join(clone, 'calls')) ? readFileSync(path.join(clone, 'calls'), 'utf8').trim().split('\n') : [];

function bootstrap(changes: NodeJS.ProcessEnv = {}) {
  const env = plainEnvironment({ PATH: `${bin}:/usr/bin:/bin`, ...changes });
  return runProcess(process.execPath, [path.join(clone, 'scripts/bootstrap.mjs'), 'packages'], { cwd: clone, env });
}

test('installs once, then prints nothing', async () => {
  fakeNpm(INSTALLS);
  const first = await bootstrap({ NODE_ENV: 'production' });
  expect(first).toMatchObject({ code: 0, out: '' });
  expect(first.err).toMatch(/^bootstrap: npm ci \(packages\) …\nbootstrap: npm ci done in \d+\.\d s\n$/);
  expect(await bootstrap()).toEqual({ code: 0, out: '', err: '' });
  expect(calls()).toEqual([
    expect.stringMatching(/^ci --include=dev --prefer-offline --no-audit --no-fund --loglevel=error /),
  ]);
});

test('installs again when the lock has changed', async () => {
  fakeNpm(INSTALLS);
  await bootstrap();
  lock('2.0.0');
  expect((await bootstrap()).err).toContain('npm ci done');
  expect(calls()).toHaveLength(2);
});

test('installs again when an install was interrupted', async () => {
  fakeNpm(INSTALLS);
  await bootstrap();
  rmSync(path.join(clone, 'node_modules/.package-lock.json'));
  await bootstrap();
  expect(calls()).toHaveLength(2);
});

test('of two at once, one installs and the other waits for it', async () => {
  fakeNpm(INSTALLS);
  const both = await Promise.all([bootstrap(), bootstrap()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(calls()).toHaveLength(1);
  expect(
    both.filter(({ err }) =>
      /^bootstrap: another bootstrap is running in this folder \(pid (\d+|not yet known)\); waiting for it …\n$/.test(
        err,
      ),
    ),
  ).toHaveLength(1);
  expect(existsSync(path.join(clone, '.waymark/bootstrap.lock'))).toBe(false);
});

test('the lock of a killed process is taken over', async () => {
  fakeNpm(INSTALLS);
  mkdirSync(path.join(clone, '.waymark/bootstrap.lock'), { recursive: true });
  writeFileSync(path.join(clone, '.waymark/bootstrap.lock/pid'), String(2 ** 22 - 1));
  const { code, err } = await bootstrap();
  expect(code).toBe(0);
  expect(err).not.toContain('another one');
});

test('a failure of npm is quoted, without a stack, and leaves no lock', async () => {
  fakeNpm('echo "npm error code E404" >&2; echo "npm error 404 Not Found: left-pad" >&2; exit 1');
  expect(await bootstrap()).toEqual({
    code: 1,
    out: '',
    err: [
      'bootstrap: npm ci (packages) …',
      'bootstrap: npm ci failed (1):',
      'npm error code E404',
      'npm error 404 Not Found: left-pad',
      'Run it by hand to see more, or remove node_modules and run this again.',
      '',
    ].join('\n'),
  });
  expect(existsSync(path.join(clone, '.waymark/bootstrap.lock'))).toBe(false);
});

test('a missing network gives a clear message', async () => {
  fakeNpm('echo "npm error code ENOTFOUND" >&2; exit 1');
  expect((await bootstrap()).err).toContain(
    '\nThe npm registry could not be reached. The first run needs it: connect to the network',
  );
});

test('without npm it explains how to install it', async () => {
  const { code, err } = await bootstrap({ PATH: '/no/such/folder' });
  expect(code).toBe(1);
  expect(err).toBe(
    [
      'bootstrap: npm ci (packages) …',
      'bootstrap: npm was not found on PATH.',
      'It comes with Node.js: install it from https://nodejs.org, then run this again.',
      '',
    ].join('\n'),
  );
});

test('an unknown part is named', async () => {
  const { code, err } = await runProcess(process.execPath, [path.join(clone, 'scripts/bootstrap.mjs'), 'kitchen'], {
    cwd: clone,
  });
  expect({ code, err }).toEqual({
    code: 1,
    err: 'bootstrap: unknown part "kitchen". Parts: packages, servers, browser, postgres.\n',
  });
});

/** The browser part in this repository, with a PATH and a home without a browser. */
function bootstrapBrowser(changes: NodeJS.ProcessEnv = {}) {
  const env = plainEnvironment({
    PATH: bin,
    HOME: clone,
    PLAYWRIGHT_BROWSERS_PATH: clone,
    WAYMARK_BROWSER: undefined,
    ...changes,
  });
  return runProcess(process.execPath, [path.join(root, 'scripts/bootstrap.mjs'), 'browser'], { cwd: root, env });
}

test.skipIf(process.platform !== 'linux')(
  'without a browser and without apt-get it explains what to install',
  async () => {
    const { code, out, err } = await bootstrapBrowser();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      /^bootstrap: No Chrome or Chromium was found on this machine\.\nInstall one and run again:\n {2}Debian: apt-get install /,
    );
  },
);

test('a WAYMARK_BROWSER that does not exist is reported, and nothing is installed instead', async () => {
  const { code, err } = await bootstrapBrowser({ WAYMARK_BROWSER: '/no/such/browser' });
  expect(code).toBe(1);
  expect(err).toMatch(/^bootstrap: WAYMARK_BROWSER names \/no\/such\/browser, which does not exist\.\nGive the path /);
});

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'as root a browser is installed with apt-get, once',
  async () => {
    const install = `case "$*" in *install*) echo > "${bin}/chromium-headless-shell" && /bin/chmod +x "${bin}/chromium-headless-shell";; esac`;
    writeFileSync(path.join(bin, 'apt-get'), `#!/bin/sh\n${install}\n`, { mode: 0o755 });
    const { code, out, err } = await bootstrapBrowser();
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(
      /^bootstrap: installing chromium-headless-shell with apt-get \(about half a minute\) …\nbootstrap: installed chromium-headless-shell in \d+ s\n$/,
    );
    expect(await bootstrapBrowser()).toEqual({ code: 0, out: '', err: '' });
  },
);
