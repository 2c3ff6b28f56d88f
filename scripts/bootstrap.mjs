#!/usr/bin/env node
// Prepares a fresh clone: packages, tool servers under test, a browser. It runs before the npm scripts that need them.
//   node scripts/bootstrap.mjs [packages] [servers] [browser] [postgres]     (default: the first three)
// Only the tests of the store and the server need PostgreSQL.
// Plain JavaScript without dependencies, because it runs before anything is installed, on any Node from version 18.
// It writes to stderr only, so that `npm run --silent waymark -- doctor --json` prints nothing but JSON.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const LOCK = path.join(ROOT, '.waymark', 'bootstrap.lock');
/** The owner updates its lock every 2 s; a lock that was not updated for this long belongs to a killed process. */
const STALE_MS = 20_000;
const WAIT_LIMIT_MS = 15 * 60_000;
const PARTS = ['packages', 'servers', 'browser', 'postgres'];
const USUAL = PARTS.slice(0, 3);
/** npm's default waits between retries (10 s, then 60 s) would make an offline machine wait for over a minute. */
const RETRIES = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=10000'];
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|ENOTCACHED/;

/** An error that the user can fix: printed without a stack. */
class BootstrapError extends Error {}

const say = (line) => process.stderr.write(`${line}\n`);

async function main() {
  const asked = process.argv.slice(2);
  const unknown = asked.find((part) => !PARTS.includes(part));
  if (unknown) throw new BootstrapError(`bootstrap: unknown part "${unknown}". Parts: ${PARTS.join(', ')}.`);
  const wanted = (part) => (asked.length === 0 ? USUAL : asked).includes(part);
  const folders = [
    ...(wanted('packages') ? [{ folder: ROOT, what: 'packages', args: [] }] : []),
    // --ignore-scripts: install scripts of servers under test would download their own browsers.
    ...(wanted('servers')
      ? [{ folder: path.join(ROOT, 'servers'), what: 'tool servers', args: ['--ignore-scripts'] }]
      : []),
  ];
  if (!folders.every(({ folder }) => isInstalled(folder))) {
    await withLock(async () => {
      for (const { folder, what, args } of folders) {
        // Checked again, because another bootstrap may have installed it while this one waited.
        if (!isInstalled(folder)) await install(folder, what, args);
      }
    });
  }
  if (wanted('browser')) await ensureBrowser();
  if (wanted('postgres')) await ensurePostgres();
}

/**
 * npm writes the installed packages to node_modules/.package-lock.json as its last step. An interrupted install has no such file,
 * an install by hand has one, and after a change of package-lock.json the two files differ.
 */
function isInstalled(folder) {
  const wanted = readPackages(path.join(folder, 'package-lock.json'));
  if (!wanted) return true;
  const present = readPackages(path.join(folder, 'node_modules', '.package-lock.json'));
  if (!present) return false;
  if (folder === ROOT && !existsSync(projectNode())) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '') return true;
    const there = present[name];
    // Optional packages are for other platforms or allowed to fail.
    if (!there) return entry.optional === true || entry.devOptional === true;
    return there.version === entry.version && there.integrity === entry.integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function install(folder, what, args) {
  const start = Date.now();
  const where = folder === ROOT ? '' : ` in ${path.relative(ROOT, folder)}/`;
  say(`bootstrap: npm ci${where} (${what}) …`);
  const { command, before } = npm();
  // --include=dev: NODE_ENV=production would skip half of the packages. --prefer-offline: cached packages are not requested again.
  // --loglevel error: npm itself may run on an old Node and would warn about the engines of every package.
  const result = await run(
    command,
    [
      ...before,
      'ci',
      '--include=dev',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      ...RETRIES,
      ...args,
    ],
    { cwd: folder, env: npmEnvironment(), shell: process.platform === 'win32' && before.length === 0 },
  );
  if (result.error && result.error.code === 'ENOENT') {
    throw new BootstrapError(
      'bootstrap: npm was not found on PATH.\nIt comes with Node.js: install it from https://nodejs.org, then run this again.',
    );
  }
  if (result.code !== 0) {
    const tail = result.output.trim().split('\n').slice(-20).join('\n');
    const advice = OFFLINE.test(result.output)
      ? 'The npm registry could not be reached. The first run needs it: connect to the network (or set the registry or proxy of npm), then run this again.'
      : 'Run it by hand to see more, or remove node_modules and run this again.';
    throw new BootstrapError(`bootstrap: npm ci${where} failed (${result.code ?? result.signal}):\n${tail}\n${advice}`);
  }
  say(`bootstrap: npm ci${where} done in ${seconds(start)}`);
}

/**
 * The npm that runs this script, on its own Node. Not the first `node` in PATH: inside an npm script that is the one in node_modules,
 * which npm ci is about to remove.
 */
function npm() {
  const cli = process.env.npm_execpath;
  const node = process.env.npm_node_execpath;
  const usable =
    cli && node && /npm-cli\.c?js$/.test(cli) && existsSync(cli) && existsSync(node) && !node.startsWith(ROOT);
  return usable ? { command: node, before: [cli] } : { command: 'npm', before: [] };
}

function npmEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    // Settings of the outer npm for its own script (such as --silent, --json) must not apply to this one.
    if (
      /^npm_(package_|lifecycle_|command$|config_(loglevel|json|local_prefix|include|omit|ignore_scripts)$)/i.test(name)
    )
      delete env[name];
  }
  const bin = path.join(ROOT, 'node_modules', '.bin');
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  env[key] = (env[key] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.resolve(folder) !== bin)
    .join(path.delimiter);
  return env;
}

function projectNode() {
  return path.join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

async function ensureBrowser() {
  const script = path.join(ROOT, 'scripts', 'ensure-browser.ts');
  const look = () => run(projectNode(), [script, '--find-only'], { cwd: ROOT });
  const found = await look();
  if (found.code === 0) return;
  if (found.code !== 4) throw new BootstrapError(found.output.trim());
  await withLock(async () => {
    const result = await run(projectNode(), [script], { cwd: ROOT, live: true });
    if (result.code !== 0) throw new BootstrapError(result.output.trim());
  });
}

/** The PostgreSQL binaries, for tests that start their own clusters (test/support/postgres.ts). No cluster is created or started here. */
async function ensurePostgres() {
  if (hasPostgres()) return;
  const advice = 'Debian, Ubuntu: apt-get install postgresql. macOS: brew install postgresql.';
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (!isRoot)
    throw new BootstrapError(`bootstrap: the tests need PostgreSQL, which was not found.\nInstall it: ${advice}`);
  await withLock(async () => {
    if (hasPostgres()) return;
    const start = Date.now();
    say('bootstrap: installing postgresql with apt-get (about half a minute) …');
    // Debian's package would create and start its own cluster. An existing settings file is kept.
    const settings = '/etc/postgresql-common/createcluster.conf';
    if (!existsSync(settings)) {
      mkdirSync(path.dirname(settings), { recursive: true });
      writeFileSync(settings, 'create_main_cluster = false\n');
    }
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
    const updated = await run('apt-get', ['update', '-qq'], { cwd: ROOT, env });
    const installed = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], {
      cwd: ROOT,
      env,
    });
    if (!hasPostgres()) {
      const lines = `${updated.output}\n${installed.output}`.split('\n').filter((line) => /^[EW]:/.test(line));
      throw new BootstrapError(
        `bootstrap: apt-get could not install postgresql (exit code ${installed.code}):\n${lines.slice(-5).join('\n')}\nInstall it yourself: ${advice}`,
      );
    }
    say(`bootstrap: installed postgresql in ${seconds(start)}`);
  });
}

function hasPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => path.join(debian, version, 'bin')) : [];
  const places = [...versions, ...(process.env.PATH ?? '').split(path.delimiter)];
  return places.some((place) => existsSync(path.join(place, 'initdb')) && existsSync(path.join(place, 'postgres')));
}

/** The child process that is running now: it is ended together with this process. */
let current;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    current?.kill(signal);
    process.exit(130);
  });
}

/** Resolves when the process has ended; never rejects. `live`: its stdout is printed line by line while it runs. */
function run(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      shell: options.shell ?? false,
      stdio: ['ignore', options.live ? process.stderr : 'pipe', 'pipe'],
    });
    current = child;
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-100_000);
    };
    child.stdout?.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: null, signal: null, output, error }));
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
}

/** Allows only one bootstrap at a time in this folder. */
async function withLock(work) {
  await acquire();
  const alive = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path.join(LOCK, 'pid'), now, now);
    } catch {
      // taken over after a long sleep of the machine: the other one works now
    }
  }, 2_000);
  const release = () => {
    if (lockOwner() === process.pid) rmSync(LOCK, { recursive: true, force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(alive);
    release();
    process.removeListener('exit', release);
  }
}

async function acquire() {
  const deadline = Date.now() + WAIT_LIMIT_MS;
  mkdirSync(path.dirname(LOCK), { recursive: true });
  let waiting = false;
  for (;;) {
    try {
      mkdirSync(LOCK);
      writeFileSync(path.join(LOCK, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw new BootstrapError(`bootstrap: ${LOCK} cannot be created: ${error.message}`);
    }
    const owner = lockOwner();
    if (isStale(owner)) {
      takeAway(owner);
      continue;
    }
    if (!waiting)
      say(`bootstrap: another bootstrap is running in this folder (pid ${owner ?? 'not yet known'}); waiting for it …`);
    waiting = true;
    if (Date.now() > deadline)
      throw new BootstrapError(
        `bootstrap: waited 15 minutes for the bootstrap with pid ${owner}. If it is not running any more, remove ${LOCK}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function lockOwner() {
  try {
    return Number(readFileSync(path.join(LOCK, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isStale(owner) {
  const touched =
    statSync(path.join(LOCK, 'pid'), { throwIfNoEntry: false }) ?? statSync(LOCK, { throwIfNoEntry: false });
  if (!touched) return false;
  if (Date.now() - touched.mtimeMs > STALE_MS) return true;
  if (owner === undefined) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Moves a stale lock aside atomically. If it was a different lock (another process was faster), it is moved back. */
function takeAway(owner) {
  const aside = `${LOCK}.${process.pid}`;
  try {
    renameSync(LOCK, aside);
    const caught = Number(readFileSync(path.join(aside, 'pid'), { encoding: 'utf8', flag: 'a+' })) || undefined;
    if (caught !== owner) renameSync(aside, LOCK);
  } catch {
    // Another process moved it.
  }
  rmSync(aside, { recursive: true, force: true });
}

function seconds(start) {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`;
}

main().catch((error) => {
  say(error instanceof BootstrapError ? error.message : `bootstrap: ${error.stack}`);
  process.exitCode = 1;
});
