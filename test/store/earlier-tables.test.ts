/** Data that was written before graders had versions, models and costs: it is opened and imported with every row. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { exportData, FolderArtifacts, importData, openStore, type Store } from '../../src/store/index.ts';
import { migrationsFolder } from '../../src/store/migrate.ts';
import { gradeOf } from '../runs/attempts.ts';
import { seedRun } from '../support/seed.ts';

const LAST_BEFORE = '0004_cells-attempts-grades';
const ADDED_TABLES = ['further_grading', 'key_binding', 'dataset_version', 'idempotency_key', 'run_work'];

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-earlier-'));
const data = path.join(folder, 'data');
const archive = path.join(folder, 'earlier.jsonl.gz');
const artifacts = new FolderArtifacts(path.join(folder, 'artifacts'));
let runId = '';
let before: unknown;
beforeAll(async () => {
  await using store = await openStore({ data, snapshot: null, migrationsFolder: earlierMigrations() });
  // Today's program names columns that the earlier one did not have.
  await store.db.execute(sql`alter table run add column tags text[]`);
  runId = (await seedRun(store.db, 3)).run.id;
  await store.db.execute(sql`alter table run drop column tags`);
  await store.db.execute(sql`
    insert into grade (run_id, case_id, attempt, round, grader, score, verdict, details, judge, artifacts)
    values (${runId}, 'item-0', 1, 1, 'exact', 1, 'pass', '{"reason": "It is the same."}', null, null),
      (${runId}, 'item-1', 1, 1, 'judge', null, 'error', '{}', '{"model": "judge-1"}', '["reply.txt"]')`);
  before = await gradeRows(store);
  // Today's export looks for tables that the earlier one did not have: empty ones add no line to the archive.
  for (const added of ADDED_TABLES) await store.db.execute(sql.raw(`create table ${added} ()`));
  await exportData(store, artifacts, archive, { version: '0.1.1' });
  for (const added of ADDED_TABLES) await store.db.execute(sql.raw(`drop table ${added}`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function earlierMigrations(): string {
  const into = path.join(folder, 'migrations');
  cpSync(migrationsFolder, into, { recursive: true });
  const file = path.join(into, 'meta/_journal.json');
  const journal = z
    .looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  const last = journal.entries.findIndex(({ tag }) => tag === LAST_BEFORE);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }));
  return into;
}

async function gradeRows(store: Store): Promise<unknown> {
  const { rows } = await store.db.execute<{ row: object }>(sql`select to_jsonb(g) as row from grade g order by g.id`);
  return rows.map(({ row }) => row);
}

async function expectKept(store: Store): Promise<void> {
  const rows = z.array(z.record(z.string(), z.unknown())).parse(before);
  expect(rows).toHaveLength(2);
  expect(await gradeRows(store)).toEqual(
    rows.map((row) => ({ ...row, reasoning: null, version: null, model: null, cost: null })),
  );
  const runs = new DatabaseRunStore({ store, artifacts });
  const attempt = { runId, caseId: 'item-1', trial: 1, attempt: 1 };
  const [old] = await runs.grades(attempt);
  expect(old).toMatchObject({ verdict: 'error', details: { judge: { model: 'judge-1' } }, artifacts: ['reply.txt'] });
  const added = gradeOf('rubric', 1, {
    reasoning: 'It says so.',
    details: { reason: 'one of its own', judge: 'no record' },
    version: '2',
    model: 'test:judge',
    cost: { calls: 2, usd: 0.001 },
  });
  await runs.appendGrades(attempt, [added]);
  expect(await runs.grades(attempt)).toEqual([old, added]);
}

test('an archive is imported with every row', async () => {
  await using store = await openStore({ data: path.join(folder, 'imported'), snapshot: await cachedSnapshot() });
  await importData(store, artifacts, archive);
  await expectKept(store);
});

test('a data folder is opened with every row', async () => {
  await using store = await openStore({ data });
  await expectKept(store);
});
