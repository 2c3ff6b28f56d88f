import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { foldTorn } from '../../src/runs/database/fold-torn.ts';
import type { Steadily } from '../../src/runs/database/through-outages.ts';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { openArtifacts, openStore, type Store, type StoreOptions } from '../../src/store/index.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startS3, type TestS3 } from '../support/s3.ts';
import { note, planOf, STOP, startOf } from './attempts.ts';
import { runStoreContract, type Storage, type StoreUnderTest } from './run-store-contract.ts';

let postgres: TestPostgres;
let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
  for (const [name, value] of Object.entries(s3.keys)) vi.stubEnv(name, value);
  // Made here, and not in the time of the first test.
  await cachedSnapshot();
  postgres = await startPostgres();
}, 300_000);
afterAll(async () => {
  await postgres?.stop();
  await s3?.[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
});

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

type OptionsIn = (folder: string) => Promise<StoreOptions>;
/** Of one storage: a folder, or a part of the bucket. */
type ArtifactsIn = (folder: string) => string;
const inFolder: ArtifactsIn = (folder) => path.join(folder, 'artifacts');

async function databaseStore(optionsIn: OptionsIn, artifactsIn = inFolder): Promise<StoreUnderTest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-runs-'));
  const options = await optionsIn(folder);
  const artifacts = artifactsIn(folder);
  const shared = sharedStore(options);
  return {
    async open() {
      const { store, ...view } = await shared.view();
      return { store: new DatabaseRunStore({ store, artifacts: await openArtifacts(artifacts) }), ...view };
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
runStoreContract(
  'PostgreSQL and S3',
  storages(
    async () => ({ database: await postgres.database(`runs_${databases++}`) }),
    (folder) => s3.address.replace('?', `/${path.basename(folder)}?`),
  ),
);

/** The shared one stays open until the end: to open it takes longer than most tests. */
function storages(optionsIn: OptionsIn, artifactsIn = inFolder) {
  let shared: Promise<StoreUnderTest & { close(): Promise<void> }> | undefined;
  afterAll(async () => (await shared)?.close());
  const openShared = async () => {
    const under = await databaseStore(optionsIn, artifactsIn);
    const view = await under.open();
    const close = async () => {
      await view[Symbol.asyncDispose]();
      await under[Symbol.asyncDispose]();
    };
    return { ...under, close, [Symbol.asyncDispose]: async () => {} };
  };
  return async (storage: Storage): Promise<StoreUnderTest> => {
    if (storage === 'own') return databaseStore(optionsIn, artifactsIn);
    shared ??= openShared();
    return await shared;
  };
}

test.each([
  ['a folder', inFolder],
  ['S3', () => s3.address.replace('?', '/long?')],
])('a long journal is an artifact in %s, and reads the same', async (_, artifactsIn) => {
  await using under = await databaseStore(
    async () => ({ database: await postgres.database(`long_${databases++}`) }),
    artifactsIn,
  );
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

test('an attempt with files: pictures and what else it left are kept with it, events are seen while it goes on', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-files-'));
  await using store = await openStore({ database: await postgres.database(`files_${databases++}`) });
  const artifacts = await openArtifacts(s3.address.replace('?', '/files?'));
  const runs = new DatabaseRunStore({ store, artifacts, folder });
  const plan = planOf(['a']);
  await runs.create(plan);
  const [claim] = await runs.claim(plan.runId, 'w', 1);
  if (!claim) throw new Error('a cell is open');
  const writer = await runs.open(claim);
  const own = String(writer.folder);
  mkdirSync(path.join(own, 'screenshots'));
  writeFileSync(path.join(own, 'screenshots', '001.jpg'), 'a picture');
  writeFileSync(path.join(own, 'left by an agent.txt'), 'a file');
  writeFileSync(path.join(own, 'messages.jsonl'), 'a fold of the journal');
  writer.append(startOf(claim.attempt));
  writer.append({ type: 'screenshot', ok: true, file: 'screenshots/001.jpg', hash: '0123456789abcdef' });
  // Nobody calls flush: a viewer sees it all the same.
  const kept = async (key: string) => Buffer.from((await runs.artifact(claim.attempt, key)) ?? []).toString();
  await expect.poll(async () => (await Array.fromAsync(runs.events(claim.attempt))).length).toBe(2);
  await expect.poll(() => kept('screenshots/001.jpg')).toBe('a picture');
  writer.append(STOP);
  await writer.finish();
  await writer[Symbol.asyncDispose]();
  expect(await kept('left_by_an_agent.txt')).toBe('a file');
  expect(await kept('messages.jsonl')).toBe('');
  expect((await Array.fromAsync(runs.events(claim.attempt))).map(({ type }) => type)).toEqual([
    'start',
    'screenshot',
    'stop',
  ]);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('claims are renewed one by one: what was lost is told to its attempt, and what was never heard of is not kept alive', async () => {
  await using store = await openStore({ database: await postgres.database(`renewed_${databases++}`) });
  const artifacts = await openArtifacts(s3.address.replace('?', '/renewed?'));
  const runs = new DatabaseRunStore({ store, artifacts, leaseMs: 60_000 });
  const plan = planOf(['a', 'b', 'c']);
  await runs.create(plan);
  const [a, b] = await runs.claim(plan.runId, 'w', 2);
  if (!a || !b) throw new Error('two cells are open');
  // The answer to this claim is lost on the way to the worker.
  await new DatabaseRunStore({ store, artifacts }).claim(plan.runId, 'w', 1);
  await using first = await runs.open(a);
  await using second = await runs.open(b);
  await store.db.execute(sql`update cell set lease_until = now() - interval '1 second'`);
  const other = new DatabaseRunStore({ store, artifacts });
  expect(await other.claim(plan.runId, 'other', 1)).toMatchObject([{ attempt: { caseId: 'a', attempt: 2 } }]);
  await runs.renewHeld();
  expect([first.signal?.aborted, second.signal?.aborted]).toEqual([true, false]);
  expect(await other.claim(plan.runId, 'other', 5)).toMatchObject([{ attempt: { caseId: 'c' } }]);
});

test('cases that need a secret which a worker has not are claimed by others', async () => {
  await using store = await openStore({ database: await postgres.database(`secrets_${databases++}`) });
  const artifacts = await openArtifacts(s3.address.replace('?', '/secrets?'));
  const runs = new DatabaseRunStore({ store, artifacts });
  const plan = planOf(['free', 'one', 'both']);
  await runs.create(plan);
  await store.db.execute(sql`update cell set snapshot = '{"needs": ["ONE"]}' where case_id = 'one'`);
  await store.db.execute(sql`update cell set snapshot = '{"needs": ["ONE", "TWO"]}' where case_id = 'both'`);
  const cases = async (without: string[]) =>
    (await runs.claim(plan.runId, 'w', 5, { without })).map(({ attempt }) => attempt.caseId);
  expect(await cases(['ONE', 'TWO'])).toEqual(['free']);
  expect(await cases(['TWO'])).toEqual(['one']);
  expect(await cases([])).toEqual(['both']);
});

test('a worker that comes too late does not resume a run that another one has ended', async () => {
  await using store = await openStore({ database: await postgres.database(`late_${databases++}`) });
  const artifacts = await openArtifacts(s3.address.replace('?', '/late?'));
  const runs = new DatabaseRunStore({ store, artifacts });
  const plan = planOf(['a']);
  await runs.create(plan);
  const [claim] = await runs.claim(plan.runId, 'w', 1);
  if (!claim) throw new Error('a cell is open');
  await runs.giveUp(claim, { reason: 'There is no browser.', outcome: 'env_error' });
  await runs.end(plan.runId, 2_000);
  expect(await runs.claim(plan.runId, 'late', 1, { mayResume: false })).toEqual([]);
  expect((await store.db.execute(sql`select status from run`)).rows).toEqual([{ status: 'completed' }]);
  expect(await Array.fromAsync(runs.cells(plan.runId))).toMatchObject([{ state: 'missing' }]);
  expect(await runs.claim(plan.runId, 'resumed', 1)).toMatchObject([{ attempt: { attempt: 2 } }]);
});

test('an attempt that was cut off gets a journal of its own when its run ends', async () => {
  await using store = await openStore({ database: await postgres.database(`torn_${databases++}`) });
  const artifacts = await openArtifacts(s3.address.replace('?', '/torn?'));
  const runs = new DatabaseRunStore({ store, artifacts });
  const plan = planOf(['a']);
  await runs.create(plan);
  const [claim] = await runs.claim(plan.runId, 'w', 1);
  if (!claim) throw new Error('a cell is open');
  await using writer = await runs.open(claim);
  const written = [startOf(claim.attempt), note('one')].map((event) => writer.append(event));
  await writer.flush();
  await foldTorn({ db: store.db, artifacts }, plan.runId);
  expect((await store.db.execute(sql`select 1 from attempt_event`)).rows).toEqual([]);
  expect(await Array.fromAsync(runs.events(claim.attempt))).toEqual(written);
  await foldTorn({ db: store.db, artifacts }, plan.runId);
  expect(await Array.fromAsync(runs.events(claim.attempt))).toEqual(written);
});

test('an end whose answer was lost on the way is not a lost claim', async () => {
  await using store = await openStore({ database: await postgres.database(`answers_${databases++}`) });
  const artifacts = await openArtifacts(s3.address.replace('?', '/answers?'));
  let isLost = true;
  const steadily: Steadily = async (work) => {
    const done = await work();
    // Done once more, as after an answer that did not arrive.
    return isLost ? await work() : done;
  };
  const runs = new DatabaseRunStore({ store, artifacts, steadily });
  const plan = planOf(['a']);
  await runs.create(plan);
  const [claim] = await runs.claim(plan.runId, 'w', 1);
  if (!claim) throw new Error('a cell is open');
  await using writer = await runs.open(claim);
  writer.append(startOf(claim.attempt));
  writer.append(STOP);
  await writer.finish();
  isLost = false;
  expect(await Array.fromAsync(runs.cells(plan.runId))).toEqual([
    { caseId: 'a', trial: 1, state: 'finished', attempts: [{ attempt: 1, finished: true }] },
  ]);
});
