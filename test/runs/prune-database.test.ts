import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkRun, DatabaseRunStore, pruneDatabase, resolveWorkRun } from '../../src/runs/index.ts';
import type { References } from '../../src/runs/local.ts';
import { FolderArtifacts, openStore, type Store } from '../../src/store/index.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { makeSuite } from '../workers/made-suite.ts';
import { note, STOP, startOf } from './attempts.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-prune-'));
const place = path.join(folder, 'artifacts');
const artifacts = new FolderArtifacts(place);
let postgres: TestPostgres;
let store: Store;
beforeAll(async () => {
  postgres = await startPostgres();
  store = await openStore({ database: await postgres.database('prune') });
});
afterAll(async () => {
  await store?.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A run of one case, with an attempt that was cut off and one that ended; the run has ended where it is to. */
async function madeRun(name: string, isEnded: boolean, status: 'passed' | 'failed' = 'passed'): Promise<string> {
  const choices = { tasks: [makeSuite(path.join(folder, name), [{ id: name }])], version: '1.0.0' };
  const run = await resolveWorkRun(choices);
  await createWorkRun({ store, artifacts }, run, { choices });
  const { runId } = run.plan;
  const runs = new DatabaseRunStore({ store, artifacts, folder: path.join(folder, 'attempts') });
  for (const how of ['torn', 'whole']) {
    const [claim] = await runs.claim(runId, 'w', 1);
    if (!claim) throw new Error('a cell is open');
    await using writer = await runs.open(claim);
    writer.append(startOf(claim.attempt));
    // Too long for its row: an artifact.
    writer.append(note('x'.repeat(70_000)));
    await writer.flush();
    if (how === 'torn') continue;
    writer.append({ ...STOP, status });
    await writer.finish();
  }
  if (isEnded) await runs.end(runId, Date.now());
  return runId;
}

const rowsOf = async (table: string, runId: string): Promise<number> =>
  (await store.db.execute(sql`select 1 from ${sql.identifier(table)} where run_id = ${runId}`)).rows.length;
const filesOf = async (prefix: string): Promise<number> => (await Array.fromAsync(artifacts.list(prefix))).length;

function age(seconds: number): void {
  for (const entry of readdirSync(place, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      utimesSync(path.join(entry.parentPath, entry.name), Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
}

test('old runs go with rows, artifacts and suites; what runs, and what a baseline names, stays whole', async () => {
  const [gone, named, running] = [
    await madeRun('gone', true),
    await madeRun('named', true),
    await madeRun('running', false),
  ];
  const suites = await filesOf('sha256');
  // Files of a suite that is being made now stay: its run comes after them.
  const references = { fileThatNames: (id: string) => (id === named ? 'main.json' : undefined) } as References;
  const choices = { keep: 0, references, now: Date.now() };
  const trial = await pruneDatabase({ store, artifacts }, { ...choices, isTrial: true });
  expect(trial).toMatchObject({ removed: [gone], suiteFiles: 0, events: 0 });
  expect(await rowsOf('cell', gone)).toBe(1);
  age(7_200);
  expect(await pruneDatabase({ store, artifacts }, choices)).toEqual({
    removed: [gone],
    kept: [
      { runId: running, why: 'it is being executed or scored' },
      { runId: named, why: 'main.json refers to it' },
    ],
    // The package, the task and its transcript are its own; the fixture and the page are those of all suites.
    suiteFiles: 3,
    events: 2,
  });
  expect(await filesOf('sha256')).toBe(suites - 3);
  for (const table of ['cell', 'attempt', 'attempt_event', 'run_work'])
    expect(await rowsOf(table, gone), table).toBe(0);
  expect(await filesOf(`runs/${gone}`)).toBe(0);
  // Of a run that has ended, events are in journals; of one that goes on, they are rows.
  expect([await rowsOf('attempt_event', named), await rowsOf('attempt_event', running)]).toEqual([0, 2]);
  const runs = new DatabaseRunStore({ store, artifacts });
  const torn = { runId: named, caseId: 'named', trial: 1, attempt: 1 };
  expect((await Array.fromAsync(runs.events(torn))).map(({ type }) => type)).toEqual(['start', 'warning']);
  expect(await rowsOf('attempt', running)).toBe(2);
});

test('by class: only runs that have ended and whose episodes all ended so', async () => {
  const [passed, failed, running] = [
    await madeRun('all-passed', true),
    await madeRun('one-failed', true, 'failed'),
    await madeRun('goes-on', false),
  ];
  const others = { fileThatNames: (id: string) => ([passed, failed, running].includes(id) ? undefined : 'x.json') };
  const choices = { keep: 0, references: others as References, now: Date.now(), classes: ['passed' as const] };
  const { removed, kept } = await pruneDatabase({ store, artifacts }, choices);
  expect(removed).toEqual([passed]);
  expect(kept).toContainEqual({ runId: running, why: 'it is being executed or scored' });
  expect(await Promise.all([passed, failed, running].map((id) => rowsOf('cell', id)))).toEqual([0, 1, 1]);
});

test('by age: events that told of changes of runs long ago go too, and younger runs stay', async () => {
  const [old, young] = [await madeRun('old', true), await madeRun('young', true)];
  await store.db.execute(sql`update run set created_at = now() - interval '40 days' where id = ${old}`);
  await store.db.execute(sql`update run_event set at = now() - interval '40 days' where run_id = ${young}`);
  const before = await rowsOf('run_event', young);
  const references = { fileThatNames: () => undefined } as unknown as References;
  const choices = { olderThanMs: 30 * 86_400_000, references, now: Date.now() };
  expect((await pruneDatabase({ store, artifacts }, choices)).removed).toEqual([old]);
  expect([before > 0, await rowsOf('run_event', young), await rowsOf('cell', young)]).toEqual([true, 0, 1]);
});
