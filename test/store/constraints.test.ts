import { and, count, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendRunLog, type Queryable, type Store, schema } from '../../src/store/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { HASH, seedDataset, seedProvider, seedRun } from '../support/seed.ts';

/** The name of the violated constraint, or the database's message. */
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    const cause = (error as Error).cause as { constraint?: string; message: string } | undefined;
    return cause?.constraint ?? cause?.message ?? String(error);
  }
  return 'accepted';
}

const undo = new Error('undo');
/** Rolls back everything that `work` did, so that tests do not see each other's rows. */
async function undone(store: Store, work: (db: Queryable) => Promise<void>): Promise<void> {
  await store.db
    .transaction(async (tx) => {
      await work(tx);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}

describe.each(engines)('on $name', ({ name, prepare }) => {
  let engine: EngineUnderTest;
  let store: Store;
  beforeAll(async () => {
    engine = await prepare();
    store = await engine.open();
  });
  afterAll(() => engine?.close());

  /** An error ends a transaction, so each attempt gets a savepoint. */
  const attempt = (db: Queryable, work: (db: Queryable) => Promise<unknown>) => refusal(db.transaction(work));

  test('a browser provider has no key, no base URL and no kind; an API provider has no target', () =>
    undone(store, async (db) => {
      const browser = {
        surface: 'browser',
        name: 'Web',
        targetPreset: 'chatgpt',
        targetOrigin: 'https://a.test',
        targetName: 'A',
      } as const;
      const api = { surface: 'api', name: 'Model', kind: 'openai' } as const;
      const add = (values: typeof schema.provider.$inferInsert) =>
        attempt(db, (tx) => tx.insert(schema.provider).values(values));
      const rules = 'provider_surface_rules';
      expect(await add({ ...browser, keyEnv: 'KEY' })).toBe(rules);
      expect(await add({ ...browser, baseUrl: 'https://a.test' })).toBe(rules);
      expect(await add({ ...browser, kind: 'openai' })).toBe(rules);
      expect(await add({ ...browser, targetOrigin: null })).toBe(rules);
      expect(await add({ ...api, targetPreset: 'chatgpt', targetOrigin: 'https://a.test', targetName: 'A' })).toBe(
        rules,
      );
      expect(await add({ ...api, kind: null })).toBe(rules);
      expect(await add({ ...api, keyEnv: 'sk-secret-key' })).toBe('provider_key_env_form');
      expect(await add({ ...api, surface: 'desktop' as 'api' })).toBe('provider_surface');
      expect(await add(browser)).toBe('accepted');
      expect(await add(api)).toBe('accepted');
    }));

  test('there is one browser provider for a preset and an origin, and an upsert finds it', () =>
    undone(store, async (db) => {
      const first = await seedProvider(db, 'browser', 'https://one.test');
      expect(await attempt(db, (tx) => seedProvider(tx, 'browser', 'https://one.test'))).toBe('provider_target');
      await seedProvider(db, 'browser', 'https://two.test');
      const [again] = await db
        .insert(schema.provider)
        .values({
          surface: 'browser',
          name: 'x',
          targetPreset: 'chatgpt',
          targetOrigin: 'https://one.test',
          targetName: 'x',
        })
        .onConflictDoUpdate({
          target: [schema.provider.targetPreset, schema.provider.targetOrigin],
          set: { targetName: 'Renamed' },
        })
        .returning();
      expect(again).toMatchObject({ id: first.id, targetName: 'Renamed' });
      // API providers have no target, so two of them do not conflict.
      await seedProvider(db, 'api');
      await seedProvider(db, 'api');
    }));

  test('only an import makes a run on a browser provider; judges and schedules are API providers', () =>
    undone(store, async (db) => {
      const { id: datasetId } = await seedDataset(db);
      const browser = await seedProvider(db, 'browser');
      const api = await seedProvider(db, 'api');
      const base = { datasetId, datasetVersionHash: HASH, status: 'completed', itemCount: 2 } as const;
      const captured = {
        ...base,
        providerId: browser.id,
        providerSurface: 'browser',
        triggeredBy: 'browser_harness',
        importedAt: new Date(),
      } as const;
      const add = (values: typeof schema.run.$inferInsert) => attempt(db, (tx) => tx.insert(schema.run).values(values));
      expect(await add({ ...captured, triggeredBy: 'manual' })).toBe('run_surface_rules');
      expect(await add({ ...captured, importedAt: null })).toBe('run_surface_rules');
      // A wrong surface does not help: it is part of the reference.
      expect(await add({ ...base, providerId: browser.id, providerSurface: 'api', triggeredBy: 'manual' })).toBe(
        'run_provider',
      );
      expect(await add({ ...captured, judgeProviderId: browser.id })).toBe('run_judge_is_api');
      expect(await add({ ...captured, judgeProviderId: browser.id, judgeSurface: 'browser' })).toBe(
        'run_judge_surface',
      );
      expect(await add({ ...captured, judgeProviderId: api.id })).toBe('accepted');
      const schedule = { name: 'Nightly', cron: '0 3 * * *', datasetId, model: 'm' };
      expect(
        await attempt(db, (tx) => tx.insert(schema.schedule).values({ ...schedule, providerId: browser.id })),
      ).toBe('schedule_provider_is_api');
      expect(await attempt(db, (tx) => tx.insert(schema.schedule).values({ ...schedule, providerId: api.id }))).toBe(
        'accepted',
      );
      // A provider in use cannot be deleted.
      expect(await attempt(db, (tx) => tx.delete(schema.provider).where(eq(schema.provider.id, browser.id)))).toBe(
        'run_provider',
      );
      expect(await attempt(db, (tx) => tx.delete(schema.dataset).where(eq(schema.dataset.id, datasetId)))).not.toBe(
        'accepted',
      );
    }));

  test('the values of state columns are checked', () =>
    undone(store, async (db) => {
      const { run } = await seedRun(db);
      const set = (values: Record<string, unknown>) =>
        attempt(db, (tx) => tx.update(schema.run).set(values).where(eq(schema.run.id, run.id)));
      expect(await set({ status: 'paused' })).toBe('run_status');
      expect(await set({ gradingStatus: 'maybe' })).toBe('run_grading_status');
      expect(await set({ triggeredBy: 'wind' })).toBe('run_triggered_by');
      const setCell = (values: Record<string, unknown>) =>
        attempt(db, (tx) => tx.update(schema.cell).set(values).where(eq(schema.cell.runId, run.id)));
      expect(await setCell({ state: 'skipped' })).toBe('cell_state');
      expect(await setCell({ state: 'running' })).toBe('cell_state_rules');
      expect(await setCell({ counted: null, result: null })).toBe('cell_state_rules');
      expect(await setCell({ result: null })).toBe('cell_counted_rules');
      expect(await setCell({ counted: 2 })).toBe('cell_counted_exists');
      const setAttempt = (values: Record<string, unknown>) =>
        attempt(db, (tx) => tx.update(schema.attempt).set(values).where(eq(schema.attempt.runId, run.id)));
      expect(await setAttempt({ result: 'skipped' })).toBe('attempt_result');
      expect(await setAttempt({ errorCode: 'response_timeout' })).toBe('attempt_result_rules');
      expect(await setAttempt({ result: 'error' })).toBe('attempt_result_rules');
      expect(await setAttempt({ journal: null })).toBe('attempt_journal_rules');
      expect(await setAttempt({ journalKey: 'runs/a' })).toBe('attempt_journal_rules');
      expect(await setAttempt({ result: 'error', errorCode: 'response_timeout' })).toBe('accepted');
    }));

  test('a grade is only ever added: no update, no deletion, no truncation; it goes with its run', () =>
    undone(store, async (db) => {
      const { run } = await seedRun(db);
      const grade = {
        runId: run.id,
        caseId: 'item-0',
        attempt: 1,
        round: 1,
        grader: 'exact',
        score: 1,
        verdict: 'pass',
      } as const;
      const add = (values: typeof schema.grade.$inferInsert) =>
        attempt(db, (tx) => tx.insert(schema.grade).values(values));
      expect(await add(grade)).toBe('accepted');
      expect(await add(grade)).toBe('grade_once_a_round');
      expect(await add({ ...grade, round: 2, score: 1.5 })).toBe('grade_score_range');
      expect(await add({ ...grade, round: 2, score: null })).toBe('grade_score_rules');
      expect(await add({ ...grade, round: 2, verdict: 'error' })).toBe('grade_score_rules');
      expect(await add({ ...grade, caseId: 'unknown' })).toBe('grade_cell');
      expect(await add({ ...grade, round: 2, verdict: 'fail', score: 0 })).toBe('accepted');
      expect(await add({ ...grade, grader: 'judge' })).toBe('accepted');
      expect(await attempt(db, (tx) => tx.update(schema.grade).set({ score: 0 }))).toBe(
        'grade is append-only: UPDATE is refused',
      );
      expect(await attempt(db, (tx) => tx.delete(schema.grade))).toBe('grade is append-only: DELETE is refused');
      expect(await attempt(db, (tx) => tx.execute(sql`truncate grade`))).toBe(
        'grade is append-only: TRUNCATE is refused',
      );
      const grades = () => db.$count(schema.grade, eq(schema.grade.runId, run.id));
      expect(await grades()).toBe(3);
      await db.delete(schema.run).where(eq(schema.run.id, run.id));
      expect(await grades()).toBe(0);
    }));

  test('cells and attempts belong to a run that exists, and go with it', () =>
    undone(store, async (db) => {
      const { run } = await seedRun(db);
      const unknown = '00000000-0000-4000-8000-000000000000';
      const cell = { caseId: 'a', seq: 7, state: 'pending' } as const;
      const begun = { caseId: 'a', attempt: 1 };
      expect(await attempt(db, (tx) => tx.insert(schema.cell).values({ ...cell, runId: unknown }))).toBe('cell_run');
      // One row of many is enough.
      const attempts = [run.id, unknown].map((runId) => ({ ...begun, runId }));
      expect(await attempt(db, (tx) => tx.insert(schema.attempt).values(attempts))).toBe('attempt_run');
      expect(await attempt(db, (tx) => tx.insert(schema.cell).values({ ...cell, runId: run.id }))).toBe('accepted');
      await db.delete(schema.run).where(eq(schema.run.id, run.id));
      expect(await db.$count(schema.cell, eq(schema.cell.runId, run.id))).toBe(0);
      expect(await db.$count(schema.attempt, eq(schema.attempt.runId, run.id))).toBe(0);
    }));

  test('a run that is deleted while a transaction adds an attempt takes that attempt with it', async () => {
    const { run } = await seedRun(store.db);
    let deleting: Promise<unknown> | undefined;
    await store.db.transaction(async (tx) => {
      await tx.insert(schema.attempt).values({ runId: run.id, caseId: 'item-0', attempt: 2 });
      deleting = store.db.delete(schema.run).where(eq(schema.run.id, run.id)).execute();
      // PGlite has one connection: there the deletion begins after this transaction anyway.
      if (name !== 'PostgreSQL') return;
      const waiting = sql`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
      await expect.poll(async () => (await tx.execute(waiting)).rows.length).toBe(1);
    });
    await deleting;
    expect(await store.db.$count(schema.attempt, eq(schema.attempt.runId, run.id))).toBe(0);
  });

  test('the same file is imported once, the parts of a run have numbers, and a key holds for one request', () =>
    undone(store, async (db) => {
      const { run } = await seedRun(db);
      const { run: other } = await seedRun(db);
      const values = {
        runId: run.id,
        payloadSha256: HASH,
        payloadBytes: 3,
        providerReused: false,
        datasetReused: true,
        gradingQueued: true,
        counts: {},
      };
      const add = (change: object) =>
        attempt(db, (tx) => tx.insert(schema.captureImport).values({ ...values, ...change }));
      expect(await add({})).toBe('accepted');
      const otherHash = HASH.replace(/^./, '0');
      expect(await add({ runId: other.id })).toBe('import_payload');
      expect(await add({ payloadSha256: otherHash })).toBe('import_run_part');
      expect(await add({ payloadSha256: otherHash, part: 2 })).toBe('accepted');
      const keyed = { operation: 'import', key: 'k', requestHash: HASH, runId: run.id, answer: {} } as const;
      const keep = (change: object) =>
        attempt(db, (tx) => tx.insert(schema.idempotencyKey).values({ ...keyed, ...change }));
      expect(await keep({})).toBe('accepted');
      expect(await keep({ requestHash: otherHash })).toBe('idempotency_key_operation_key_pk');
      expect(await keep({ operation: 'launch' })).toBe('accepted');
    }));

  test('counts, large integers, times, arrays and JSON read the same', () =>
    undone(store, async (db) => {
      const { run } = await seedRun(db);
      const { rows } = await db.execute<Record<string, unknown>>(sql`
        select count(*) as items, 9007199254740991::bigint as safe, 9007199254740993::bigint as large, sum(seq) as sum,
          timestamptz '2026-11-15 12:00:00+02' as time, '{"a":[1,null]}'::jsonb as json, array['x','y'] as list, true as yes
        from ${schema.cell} where run_id = ${run.id}`);
      expect(rows).toEqual([
        {
          items: 2,
          safe: 9007199254740991,
          large: 9007199254740993n,
          sum: 1,
          time: '2026-11-15 10:00:00+00',
          json: { a: [1, null] },
          list: ['x', 'y'],
          yes: true,
        },
      ]);
      const when = new Date('2026-11-15T10:00:00.123Z');
      const [written] = await db
        .update(schema.run)
        .set({ startedAt: when, modelLabels: ['GPT-5', 'it\'s "x", y'] })
        .where(eq(schema.run.id, run.id))
        .returning();
      expect(written).toMatchObject({ startedAt: when, modelLabels: ['GPT-5', 'it\'s "x", y'] });
    }));

  test("a run's log is numbered without gaps, also with concurrent writers", async () => {
    const { run } = await seedRun(store.db);
    const line = (message: string) => ({ level: 'info', code: 'note', message }) as const;
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        store.db.transaction((tx) => appendRunLog(store, tx, run.id, [line(`${n}a`), line(`${n}b`)])),
      ),
    );
    const lines = await store.db.query.runLog.findMany({
      where: eq(schema.runLog.runId, run.id),
      orderBy: schema.runLog.seq,
    });
    expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
    // Two lines of one call are adjacent.
    expect(
      lines
        .filter(({ seq }) => seq % 2)
        .every(({ message }, n) => lines[2 * n + 1]?.message === message.replace('a', 'b')),
    ).toBe(true);
    const [items] = await store.db
      .select({ n: count() })
      .from(schema.cell)
      .where(and(eq(schema.cell.runId, run.id)));
    expect(items).toEqual({ n: 2 });
  });

  test('a signal is delivered at commit, to its topic only, and not after a rollback', async () => {
    const heard: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const stops = await Promise.all([
      store.signals.subscribe('run:1', () => heard.push('run:1')),
      store.signals.subscribe('run:2', () => heard.push('run:2')),
      store.signals.subscribe('last', () => waiting.resolve()),
    ]);
    await store.db.transaction(async (tx) => {
      await store.signals.send(tx, 'run:1');
      // It is not delivered before the transaction commits.
      await tx.execute(sql`select pg_sleep(0.05)`);
      expect(heard).toEqual([]);
    });
    await undone(store, (db) => store.signals.send(db, 'run:2'));
    await store.signals.send(store.db, 'last');
    await waiting.promise;
    expect(heard).toEqual(['run:1']);
    for (const stop of stops) stop();
  });

  test('events of runs get their numbers in the order of commits, and only for what was committed', async () => {
    const told = async () => {
      const rows = await store.db.select().from(schema.runEvent).orderBy(schema.runEvent.id);
      return rows.map(({ runId, event, status }) => `${event} ${runId} ${status}`);
    };
    const before = (await told()).length;
    await undone(store, async (db) => void (await seedRun(db)));
    let late = '';
    let early = '';
    await store.db.transaction(async (tx) => {
      late = (await seedRun(tx)).run.id;
      // PGlite has one connection, so there is no concurrency.
      if (store.engine === 'postgres') early = (await seedRun(store.db)).run.id;
    });
    await store.db.update(schema.run).set({ label: 'no event' }).where(eq(schema.run.id, late));
    await store.db.update(schema.run).set({ status: 'failed' }).where(eq(schema.run.id, late));
    expect((await told()).slice(before)).toEqual([
      ...(early === '' ? [] : [`run_created ${early} completed`]),
      `run_created ${late} completed`,
      `run_changed ${late} failed`,
    ]);
  });
});
