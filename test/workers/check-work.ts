/** Looks at a run that workers have ended: in the database, among the artifacts, and as the folder that it is fetched into. */
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { version } from '../../src/cli/version.ts';
import { runPrefix } from '../../src/runs/database/attempt-columns.ts';
import { DatabaseRunStore, fetchRun, readReport, verifyRun, writeReports } from '../../src/runs/index.ts';
import type { Artifacts, Store } from '../../src/store/index.ts';

export interface CheckedWork {
  /** Cells of the plan, each with one attempt that counts. */
  episodes: number;
  passed: number;
  attempts: number;
  /** Attempts that were cut off, and stay. */
  torn: number;
  pictures: number;
}

/** @throws where an episode is lost or there twice, a file has no attempt, or an attempt lacks a file. */
export async function checkWork(
  { store, artifacts }: { store: Store; artifacts: Artifacts },
  runId: string,
  folder: string,
): Promise<CheckedWork> {
  const runs = new DatabaseRunStore({ store, artifacts });
  const plan = await runs.plan(runId);
  if (!plan) throw new Error(`There is no run ${runId}.`);
  const one = async (query: ReturnType<typeof sql>): Promise<number> => {
    const { rows } = await store.db.execute<{ n: number }>(query);
    return rows[0]?.n ?? -1;
  };
  equal(
    'cells that are not finished',
    await one(sql`select count(*)::int as n from cell where run_id = ${runId} and state <> 'finished'`),
    0,
  );
  equal(
    'cells with another number of finished attempts than one',
    await one(sql`select count(*)::int as n from (
      select c.case_id, c.trial from cell c left join attempt a on a.run_id = c.run_id and a.case_id = c.case_id
        and a.trial = c.trial and a.result is not null
      where c.run_id = ${runId} group by 1, 2 having count(a.attempt) <> 1) s`),
    0,
  );
  equal(
    'events that belong to no attempt under way',
    await one(sql`select count(*)::int as n from attempt_event where run_id = ${runId}`),
    0,
  );
  const attempts = await one(sql`select count(*)::int as n from attempt where run_id = ${runId}`);
  const torn = await one(sql`select count(*)::int as n from attempt where run_id = ${runId} and result is null`);

  const root = path.join(folder, `fetched-${runId}`);
  await fetchRun({ store, artifacts }, runId, root);
  await writeReports(root);
  const report = readReport(root);
  equal('episodes of the report', report.episodes.length, plan.cells.length);
  const keys = (cells: readonly { trial: number }[], id: (cell: never) => string): string =>
    cells
      .map((cell) => `${cell.trial} ${id(cell as never)}`)
      .sort()
      .join();
  equal(
    'cells of the report',
    keys(report.episodes, ({ taskId }: { taskId: string }) => taskId),
    keys(plan.cells, ({ caseId }: { caseId: string }) => caseId),
  );
  const { ok, episodes, plan: differing, report: reported, integrity } = await verifyRun(root, { version: version() });
  const differences = [
    ...episodes.flatMap((episode) => episode.differences),
    ...differing,
    ...reported,
    ...integrity.differences,
  ];
  if (!ok) throw new Error(`waymark verify finds differences: ${JSON.stringify(differences.slice(0, 5))}`);
  const pictures = await checkPictures(runs, artifacts, runId, await namedAttempts(store, runId));
  return { episodes: plan.cells.length, passed: report.summary.passed, attempts, torn, pictures };
}

async function namedAttempts(store: Store, runId: string) {
  const { rows } = await store.db.execute<{ case_id: string; trial: number; attempt: number; result: string | null }>(
    sql`select case_id, trial, attempt, result from attempt where run_id = ${runId}`,
  );
  return rows.map(({ case_id: caseId, trial, attempt, result }) => ({
    runId,
    caseId,
    trial,
    attempt,
    isTorn: result === null,
  }));
}

/** Every picture that a whole journal names is there, and what is there belongs to an attempt. */
async function checkPictures(
  runs: DatabaseRunStore,
  artifacts: Artifacts,
  runId: string,
  attempts: readonly { runId: string; caseId: string; trial: number; attempt: number; isTorn: boolean }[],
): Promise<number> {
  let pictures = 0;
  for (const { isTorn, ...ref } of attempts) {
    const named = new Set<string>();
    for await (const event of runs.events(ref)) if (event.type === 'screenshot' && event.file) named.add(event.file);
    for (const file of isTorn ? [] : named) {
      if (!(await runs.artifact(ref, file))) throw new Error(`${file} of ${ref.caseId} trial ${ref.trial} is lost.`);
      pictures++;
    }
  }
  const numbers = new Map(attempts.map(({ trial, attempt }) => [`trial-${trial}-attempt-${attempt}`, true]));
  for await (const { key } of artifacts.list(runPrefix(runId))) {
    const name = key.split('/')[3]?.replace(/\.jsonl$/, '') ?? '';
    if (!numbers.has(name)) throw new Error(`${key} belongs to no attempt.`);
  }
  return pictures;
}

/** Whether a text stands anywhere in the database or among the artifacts. */
export async function isAnywhere(
  { store, artifacts }: { store: Store; artifacts: Artifacts },
  text: string,
): Promise<string | undefined> {
  const { rows } = await store.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  for (const { name } of rows) {
    const found = await store.db.execute(
      sql`select 1 from ${sql.identifier(name)} t where strpos(row_to_json(t)::text, ${text}) > 0 limit 1`,
    );
    if (found.rows.length > 0) return `the table ${name}`;
  }
  for await (const { key } of artifacts.list()) {
    if ((await buffer(await artifacts.get(key))).includes(text)) return key;
  }
  return undefined;
}

function equal<T>(what: string, is: T, expected: T): void {
  if (is !== expected) throw new Error(`${what}: ${String(is)}, and should be ${String(expected)}.`);
}
