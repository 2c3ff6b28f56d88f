/**
 * A real PostgreSQL for tests: its own cluster in a temporary folder, on a free port of loopback, ended with the tests.
 * As root it runs as nobody, because PostgreSQL refuses root. Durability is off: the folder is thrown away.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

const NOBODY = 65534;
const START_MS = 30_000;

export interface TestPostgres {
  /** Of the server now. */
  readonly pid: number;
  /** A new empty database; its address. */
  database(name: string): Promise<string>;
  /** Ends all connections, and starts again on the same port with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const bin = postgresBinaries();
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-postgres-'));
  const root = process.getuid?.() === 0;
  const as = root ? { uid: NOBODY, gid: NOBODY } : {};
  if (root) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o700);
  const cluster = path.join(folder, 'cluster');
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', TZ: 'UTC' };
  const initdb = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', cluster, '-U', 'waymark', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'],
    { ...as, env, cwd: folder, encoding: 'utf8' },
  );
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.stderr || initdb.error?.message}`);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
  };
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(
      path.join(bin, 'postgres'),
      ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...as, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await untilReady(started);
    return started;
  };
  const address = (name: string) => `postgres://waymark@127.0.0.1:${port}/${name}`;
  let child = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill(signal);
    await gone;
  };
  // Vitest may be ended in the middle: the server goes with it.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    get pid() {
      return child.pid ?? -1;
    },
    async database(name) {
      const client = new pg.Client({ connectionString: address('postgres') });
      await client.connect();
      await client.query(`create database "${name}"`);
      await client.end();
      return address(name);
    },
    async restart() {
      await end('SIGINT');
      child = await start();
    },
    async stop() {
      process.off('exit', kill);
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let said = '';
  const deadline = AbortSignal.timeout(START_MS);
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`PostgreSQL did not start:\n${said}`));
    deadline.addEventListener('abort', fail, { once: true });
    child.once('exit', fail);
    child.once('error', reject);
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      if (/ready to accept connections/.test(said)) resolve();
    });
  });
}

function postgresBinaries(installed = '/usr/lib/postgresql'): string {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...versions.map((version) => path.join(installed, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  const found = places.find(
    (place) => existsSync(path.join(place, 'initdb')) && existsSync(path.join(place, 'postgres')),
  );
  if (found) return found;
  throw new Error('No PostgreSQL was found. Install one: node scripts/bootstrap.mjs postgres');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
