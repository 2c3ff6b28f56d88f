import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { type Job, openStore, Queue, type StoreOptions, schema } from '../../src/store/index.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-crash-'));
let postgres: TestPostgres;
let snapshot: string;
beforeAll(async () => {
  [postgres, snapshot] = await Promise.all([startPostgres(), cachedSnapshot()]);
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const places = [
  { name: 'PGlite', place: async (name: string) => ({ data: path.join(folder, name), snapshot }) },
  { name: 'PostgreSQL', place: async (name: string) => ({ database: await postgres.database(name) }) },
] as const;

/** Starts a child, reads its lines until `enough`, kills it with SIGKILL, and returns its output. */
async function killAfter(what: 'rows' | 'job', options: StoreOptions, enough: (lines: string[]) => boolean) {
  const script = path.join(import.meta.dirname, '../support/child-store.ts');
  const child = spawn(process.execPath, [script, what, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const closed = once(reader, 'close');
  reader.on('line', (line) => {
    lines.push(line);
    if (enough(lines)) child.kill('SIGKILL');
  });
  await Promise.all([exited, closed]);
  return { lines, complaint };
}

// One database per engine for all tests, because a new folder takes seconds.
describe.each(places)('on $name', ({ place }) => {
  let options: StoreOptions;
  beforeAll(async () => {
    options = await place('crash');
  });

  test('kill -9 loses no row that was acknowledged', async () => {
    const { lines } = await killAfter('rows', options, ({ length }) => length === 40);
    await using store = await openStore(options);
    const names = new Set((await store.db.select().from(schema.dataset)).map(({ name }) => name));
    expect(lines.length).toBeGreaterThanOrEqual(40);
    expect(lines.filter((n) => !names.has(`dataset ${n}`))).toEqual([]);
  });

  test("a killed worker's job is resumed by the next one", async () => {
    const { lines } = await killAfter('job', options, ({ length }) => length === 1);
    expect(lines).toEqual(['attempt 1']);
    await using store = await openStore(options);
    await using queue = await Queue.start(store);
    await queue.define('t.crash', { retryDelaySeconds: 1 });
    // A folder has only one process, so the job of a dead one is free at once. On a server the heartbeat must stop first.
    const free = store.engine === 'pglite' ? { waiting: 1, active: 0 } : { waiting: 0, active: 1 };
    expect(await queue.stats()).toMatchObject([free]);
    const got = Promise.withResolvers<Job>();
    await queue.work('t.crash', async (job) => got.resolve(job));
    expect(await got.promise).toMatchObject({ data: { run_id: 'r' }, attempt: 2 });
  });
});

describe('a data folder', () => {
  test('is for one process: the second gets an error that names the owner, under any path, and nothing is lost', async () => {
    const data = path.join(folder, 'crash');
    {
      await using store = await openStore({ data, snapshot });
      await store.db.insert(schema.dataset).values({ name: 'kept', versionHash: '0'.repeat(64), itemCount: 0 });
      const link = path.join(folder, 'link');
      symlinkSync(data, link);
      for (const name of [data, `${data}/`, link]) {
        await expect(openStore({ data: name, snapshot })).rejects.toMatchObject({
          code: 'data_locked',
          message: expect.stringMatching(
            new RegExp(`^The data folder ${data} is in use by process ${process.pid}, since \\d{4}-.*Z\\.$`),
          ),
        });
      }
      const { lines, complaint } = await killAfter('rows', { data, snapshot }, () => true);
      expect(lines).toEqual([]);
      expect(complaint).toContain(`is in use by process ${process.pid}, since `);
    }
    await using again = await openStore({ data, snapshot });
    expect(await again.db.$count(schema.dataset, eq(schema.dataset.name, 'kept'))).toBe(1);
  });

  test('whose first start was interrupted is initialized again', async () => {
    const data = path.join(folder, 'cut-short');
    mkdirSync(path.join(data, 'db'), { recursive: true });
    writeFileSync(path.join(data, 'db', 'PG_VERSION'), '18\n');
    await using store = await openStore({ data, snapshot });
    expect(await store.db.$count(schema.dataset)).toBe(0);
    expect(existsSync(`${data}.lock`)).toBe(true);
  });
});

test('an unreachable address and an invalid one give clear errors', async () => {
  await expect(openStore({ database: 'postgres://me:secret@127.0.0.1:1/x' })).rejects.toMatchObject({
    code: 'database_unreachable',
    message: expect.stringMatching(/^The database at postgres:\/\/127\.0\.0\.1:1\/x can't be reached: (?!.*secret)/),
  });
  await expect(openStore({ database: 'mysql://x' })).rejects.toMatchObject({ code: 'usage_database_address' });
});
