import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { openStore, Queue, type Store } from '../../src/store/index.ts';
import { migrationsFolder } from '../../src/store/migrate.ts';
import { checkoutSnapshot, shippedSnapshot } from '../../src/store/snapshot.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-migrations-'));
const newer = path.join(folder, 'newer');
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  // A later version of the program has one more migration.
  cpSync(migrationsFolder, newer, { recursive: true });
  const file = path.join(newer, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { idx: number; when: number; tag: string }[] };
  const last = journal.entries.at(-1);
  if (!last) throw new Error('no migrations');
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_later' });
  writeFileSync(file, JSON.stringify(journal));
  writeFileSync(path.join(newer, '9999_later.sql'), 'create table later (id int)');
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything in the catalogue that a migration can create, as text. */
async function shape(store: Store): Promise<unknown> {
  const ours = sql`('public', 'pgboss', 'drizzle')`;
  const queries = [
    sql`select table_schema, table_name, column_name, data_type, column_default, is_nullable, ordinal_position, is_identity from information_schema.columns where table_schema in ${ours} order by 1, 2, 7`,
    sql`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition from pg_constraint where connamespace::regnamespace::text in ${ours} order by 1, 2`,
    sql`select schemaname, indexname, indexdef from pg_indexes where schemaname in ${ours} order by 1, 2`,
    sql`select pronamespace::regnamespace::text as schema, proname, prosrc from pg_proc where pronamespace::regnamespace::text in ${ours} order by 1, 2, 3`,
    sql`select tgrelid::regclass::text as table, tgname, pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by 1, 2`,
    sql`select hash from drizzle.__drizzle_migrations order by id`,
    sql`select version from pgboss.version`,
    sql`select name, policy from pgboss.queue order by 1`,
    sql`select relname, n_live_tup from pg_stat_user_tables where schemaname = 'public' and n_live_tup > 0`,
  ];
  const results = [];
  for (const query of queries) {
    const { rows } = await store.db.execute(query);
    // pg-boss has a partition for each day on which it was opened: a snapshot has that of the day it was made on.
    results.push(rows.filter((row) => !/queue_stats_\d{8}/.test(JSON.stringify(row))));
  }
  return results;
}

async function shapeOf(open: () => Promise<Store>): Promise<unknown> {
  await using store = await open();
  await using _queue = await Queue.start(store);
  return await shape(store);
}

test('each snapshot equals an empty database with all migrations', async () => {
  const scratch = await shapeOf(() => openStore({ data: path.join(folder, 'scratch'), snapshot: null }));
  // That of a checkout may be older: opening it applies what it lacks.
  for (const snapshot of [await cachedSnapshot(), checkoutSnapshot()]) {
    const data = path.join(folder, path.basename(snapshot));
    expect(await shapeOf(() => openStore({ data, snapshot }))).toEqual(scratch);
  }
});

test('a first start in a checkout begins with a snapshot', () => {
  // Missing after an upgrade of the embedded database: make it again by `node scripts/make-checkout-snapshot.ts`.
  expect(shippedSnapshot()).toBe(checkoutSnapshot());
});

test('migrations are dated in the order of their numbers: a database takes only those after its newest', () => {
  const journal = JSON.parse(readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { idx: number; when: number; tag: string }[];
  };
  const byNumber = journal.entries.toSorted((a, b) => a.idx - b.idx);
  expect(journal.entries).toEqual(byNumber);
  expect(byNumber.toSorted((a, b) => a.when - b.when)).toEqual(byNumber);
  expect(byNumber.map(({ idx, tag }) => tag.startsWith(`${String(idx).padStart(4, '0')}_`))).not.toContain(false);
});

test('the migrations create what the schema defines', () => {
  const out = path.join(folder, 'generated');
  cpSync(migrationsFolder, out, { recursive: true });
  const config = path.join(folder, 'drizzle.config.json');
  const text = {
    dialect: 'postgresql',
    schema: path.join(root, 'src/store/schema/index.ts'),
    out: path.relative(root, out),
  };
  writeFileSync(config, JSON.stringify(text));
  const kit = path.join(root, 'node_modules/drizzle-kit/bin.cjs');
  const { stdout, stderr } = spawnSync(process.execPath, [kit, 'generate', '--config', path.relative(root, config)], {
    cwd: root,
    encoding: 'utf8',
    input: '',
  });
  expect(`${stdout}${stderr}`).toContain('No schema changes, nothing to migrate');
});

test.each(['PGlite', 'PostgreSQL'])('a %s database of a newer program is refused and not changed', async (name) => {
  const options =
    name === 'PGlite'
      ? { data: path.join(folder, 'newer-data'), snapshot: await cachedSnapshot() }
      : { database: await postgres.database('newer') };
  await (await openStore({ ...options, migrationsFolder: newer })).close();
  await expect(openStore(options)).rejects.toMatchObject({
    code: 'database_newer',
    message: 'The database was made by a newer waymark: it has 1 migration that this version does not know.',
  });
  // An older database is migrated, as the first opening did with the snapshot.
  await using store = await openStore({ ...options, migrationsFolder: newer });
  expect((await store.db.execute(sql`select to_regclass('later')::text as later`)).rows).toEqual([{ later: 'later' }]);
});

test('a worker does not change a database of an older program, and makes the tables of an empty one', async () => {
  const database = await postgres.database('older');
  await (await openStore({ database, mayUpgrade: false })).close();
  await (await openStore({ database, mayUpgrade: false })).close();
  await expect(openStore({ database, mayUpgrade: false, migrationsFolder: newer })).rejects.toMatchObject({
    code: 'database_older',
    message: 'The database was made by an older waymark: it lacks 1 migration of this version.',
  });
  await using store = await openStore({ database });
  expect((await store.db.execute(sql`select to_regclass('later')::text as later`)).rows).toEqual([{ later: null }]);
});

test('several servers may start at once on an empty database', async () => {
  const database = await postgres.database('together');
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ database })));
  const queues = await Promise.all(stores.map((store) => Queue.start(store)));
  await Promise.all(queues.map((queue) => queue.define('t.together')));
  const [first] = stores;
  const { rows } = (await first?.db.execute(sql`select count(*) as n from drizzle.__drizzle_migrations`)) ?? {
    rows: [],
  };
  expect(rows).toEqual([{ n: readMigrationFiles({ migrationsFolder }).length }]);
  await Promise.all(queues.map((queue) => queue.stop()));
  await Promise.all(stores.map((store) => store.close()));
});

test('a listener reconnects after its connection was lost, and is told that it may have missed signals', async () => {
  await using store = await openStore({ database: await postgres.database('cut') });
  const rings: (() => void)[] = [];
  const nextRing = () => new Promise<void>((resolve) => rings.push(resolve));
  await store.signals.subscribe('topic', () => rings.shift()?.());
  const gap = nextRing();
  await store.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen waymark' and pid <> pg_backend_pid()`,
  );
  await gap;
  const heard = nextRing();
  await store.signals.send(store.db, 'topic');
  await heard;
});
