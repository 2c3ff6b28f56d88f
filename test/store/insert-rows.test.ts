import { asc, like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows, type Store, schema } from '../../src/store/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { seedRun } from '../support/seed.ts';

const { attempt, cell, grade } = schema;

describe.each(engines)('insertRows on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let store: Store;
  let runId: string;
  beforeAll(async () => {
    engine = await prepare();
    store = await engine.open();
    runId = (await seedRun(store.db)).run.id;
  });
  afterAll(() => engine?.close());

  test('values come back as they were given, whatever is in them', async () => {
    const texts = ['', 'plain', '\u0001', '\u0002\u0001', 'a\nb\tc', '"\\N"', "it's", 'straße 😀', null];
    const given = texts.map((answer, index) => ({
      runId,
      caseId: `case ${index}`,
      trial: 1,
      attempt: index + 1,
      result: answer === null ? null : ('answered' as const),
      answer,
      startedAt: index === 3 ? null : new Date(1_700_000_000_000 + index),
      costUsd: index % 2 === 0 ? 0.1 * index : null,
      migrated: index === 0,
      journal: `{"answer":${JSON.stringify(answer)}}\n`,
    }));
    expect(await store.db.transaction((tx) => insertRows(tx, attempt, given))).toBe(texts.length);
    const rows = await store.db
      .select()
      .from(attempt)
      .where(like(attempt.caseId, 'case %'))
      .orderBy(asc(attempt.attempt));
    expect(rows).toMatchObject(given);
  });

  test('JSON comes back as it was given, in one row and in many', async () => {
    const snapshots = [{ a: null, b: '\u0001 "quoted"', c: [1, 2.5, { d: true }] }, {}, { a: 'null' }];
    const given = snapshots.map((snapshot, index) => ({
      runId,
      caseId: `json ${index}`,
      seq: 1000 + index,
      state: 'pending' as const,
      snapshot,
    }));
    await store.db.transaction(async (tx) => {
      await insertRows(tx, cell, given.slice(0, 1));
      await insertRows(tx, cell, given.slice(1));
    });
    const rows = await store.db.select().from(cell).where(like(cell.caseId, 'json %')).orderBy(asc(cell.seq));
    expect(rows).toMatchObject(given);
  });

  test('many rows are written whole, with numbers and dates of every size', async () => {
    const given = Array.from({ length: 4_500 }, (_, index) => ({
      runId,
      caseId: `many ${index}`,
      attempt: index + 1,
      latencyMs: [0, 1, 2_147_483_647, null][index % 4] ?? null,
      startedAt: new Date([-86_400_001, 0, 946_684_799_999, 1_700_000_000_123, 7_000_000_000_000][index % 5] ?? 0),
      costUsd: [0, -0.1, 1e-300, 12_345.678][index % 4] ?? 0,
      journal: index % 1_000 === 0 ? 'ä'.repeat(100_000) : `${index}`,
    }));
    expect(await store.db.transaction((tx) => insertRows(tx, attempt, given))).toBe(given.length);
    const rows = await store.db
      .select()
      .from(attempt)
      .where(like(attempt.caseId, 'many %'))
      .orderBy(asc(attempt.attempt));
    expect(rows).toMatchObject(given);
  });

  test.each([
    ['a row that is there already', { caseId: 'case 0', attempt: 1 }, '23505'],
    ['a run that is not there', { runId: '00000000-0000-7000-8000-000000000000' }, '23503'],
    ['an id that is none', { runId: 'none' }, '22P02'],
    ['a number that is too large', { attempt: 3_000_000_000 }, '22003'],
    ['a number that is refused', { attempt: 0 }, '23514'],
  ])('%s is refused with its code, and nothing is written', async (_, wrong, code) => {
    const right = { runId, caseId: 'refused', attempt: 1 };
    const write = store.db.transaction((tx) =>
      insertRows(tx, attempt, [right, { ...right, caseId: 'other', ...wrong }]),
    );
    await expect(write).rejects.toMatchObject({ cause: { code } });
    expect(await store.db.select().from(attempt).where(like(attempt.caseId, 'refused'))).toEqual([]);
  });

  test('rows that are known are skipped, and not counted', async () => {
    const of = (round: number) => ({
      runId,
      caseId: 'json 0',
      round,
      grader: 'exact',
      score: 1,
      verdict: 'pass' as const,
    });
    const add = (rounds: number[]) =>
      store.db.transaction((tx) => insertRows(tx, grade, rounds.map(of), { skipKnown: true }));
    expect([await add([1]), await add([1, 2, 3]), await add([3, 2])]).toEqual([1, 2, 0]);
  });
});
