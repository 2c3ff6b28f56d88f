import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { FolderArtifacts, openStore, type Store, type StoreOptions } from '../../src/store/index.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { note, planOf, STOP, startOf } from './attempts.ts';
import { runStoreContract, type Storage, type StoreUnderTest } from './run-store-contract.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  // Made here, and not in the time of the first test.
  await cachedSnapshot();
  postgres = await startPostgres();
}, 300_000);
afterAll(() => postgres?.stop());

/** A folder is for one process at a time: all views of this one share a store, which is closed with the last. */
function sharedStore(options: StoreOptions) {
  let opened: Promise<Store> | undefined;
  let views = 0;
  return {
    async use<T>(work: (store: Store) => Promise<T>): Promise<T> {
      await using view = await this.view();
      return await work(view.store);
    },
    async view() {
      views += 1;
      opened ??= openStore(options);
      const store = await opened;
      return {
        store,
        [Symbol.asyncDispose]: async () => {
          views -= 1;
          if (views > 0) return;
          opened = undefined;
          await store.close();
        },
      };
    },
  };
}

async function databaseStore(optionsIn: (folder: string) => Promise<StoreOptions>): Promise<StoreUnderTest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-runs-'));
  const options = await optionsIn(folder);
  const artifacts = path.join(folder, 'artifacts');
  const shared = sharedStore(options);
  return {
    async open() {
      const { store, ...view } = await shared.view();
      return { store: new DatabaseRunStore({ store, artifacts: new FolderArtifacts(artifacts) }), ...view };
    },
    expireLeases: () =>
      shared.use(async (store) => {
        await store.db.execute(sql`update cell set lease_until = now() - interval '1 second' where state = 'running'`);
      }),
    journalBytes: ({ runId, caseId, trial, attempt }) =>
      shared.use(async (store) => {
        const key = sql`run_id = ${runId} and case_id = ${caseId} and trial = ${trial} and attempt = ${attempt}`;
        const { rows } = await store.db.execute<{ journal: string | null }>(
          sql`select coalesce(journal, (select string_agg(line, '' order by seq) from attempt_event where ${key}), '') as journal
            from attempt where ${key}`,
        );
        return Buffer.from(rows[0]?.journal ?? 'no attempt');
      }),
    child: {
      module: path.join(import.meta.dirname, 'open-database-store.ts'),
      options: { store: options, artifacts },
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

runStoreContract(
  'PGlite',
  storages(async (folder) => ({ data: path.join(folder, 'data'), snapshot: await cachedSnapshot() })),
);
let databases = 0;
runStoreContract(
  'PostgreSQL',
  storages(async () => ({ database: await postgres.database(`runs_${databases++}`) })),
);

/** The shared one stays open until the end: to open it takes longer than most tests. */
function storages(optionsIn: (folder: string) => Promise<StoreOptions>) {
  let shared: Promise<StoreUnderTest & { close(): Promise<void> }> | undefined;
  afterAll(async () => (await shared)?.close());
  const openShared = async () => {
    const under = await databaseStore(optionsIn);
    const view = await under.open();
    const close = async () => {
      await view[Symbol.asyncDispose]();
      await under[Symbol.asyncDispose]();
    };
    return { ...under, close, [Symbol.asyncDispose]: async () => {} };
  };
  return async (storage: Storage): Promise<StoreUnderTest> => {
    if (storage === 'own') return databaseStore(optionsIn);
    shared ??= openShared();
    return await shared;
  };
}

test('a long journal is an artifact, and reads the same', async () => {
  await using under = await databaseStore(async () => ({ database: await postgres.database('long') }));
  await using opened = await under.open();
  const { store } = opened;
  const plan = planOf(['a']);
  await store.create(plan);
  const [claim] = await store.claim(plan.runId, 'w', 1);
  if (!claim) throw new Error('a cell is open');
  await using writer = await store.open(claim);
  const written = [startOf(claim.attempt), note('é'.repeat(40_000)), STOP].map((event) => writer.append(event));
  await writer.flush();
  await writer.finish();
  expect(await Array.fromAsync(store.events(claim.attempt))).toEqual(written);
  // Neither in the row nor among the events of attempts that are under way.
  expect((await under.journalBytes(claim.attempt)).length).toBe(0);
});

test('an attempt that is far longer than the memory of its process is written and read', async () => {
  await using under = await databaseStore(async () => ({ database: await postgres.database('longer') }));
  await using opened = await under.open();
  const { store } = opened;
  const plan = planOf(['a']);
  await store.create(plan);
  const script = path.join(import.meta.dirname, 'write-long-attempt.ts');
  const { module, options } = under.child;
  // A heap of 64 MB, and a journal of 150.
  execFileSync(process.execPath, ['--max-old-space-size=64', script, module, JSON.stringify(options), plan.runId]);
  let [count, bytes] = [0, 0];
  for await (const event of store.events({ runId: plan.runId, caseId: 'a', trial: 1, attempt: 1 })) {
    expect(event.seq).toBe(count++);
    if (event.type === 'warning') bytes += event.message.length;
  }
  expect({ count, bytes }).toEqual({ count: 302, bytes: 150_000_000 });
});
