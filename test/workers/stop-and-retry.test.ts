/** Runs on workers that are stopped and resumed, tried again, bounded by a budget and graded: with real processes, PostgreSQL, a bucket and Chromium. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { checkWork } from './check-work.ts';
import { makeSuite } from './made-suite.ts';
import { WorkerLab } from './worker-lab.ts';

let lab: WorkerLab;
beforeAll(async () => {
  lab = await WorkerLab.open();
});
afterAll(() => lab?.[Symbol.asyncDispose]());

const cellsOf = async ({ db }: Store, runId: string): Promise<string[]> => {
  const { rows } = await db.execute<{ cell: string }>(
    sql`select case_id || ' ' || state || ' ' || attempts as cell from cell where run_id = ${runId} order by seq`,
  );
  return rows.map(({ cell }) => cell);
};

test('a run that is stopped: what is under way is interrupted and no failure, the rest waits; resumed, it goes on and nothing is done twice', async () => {
  const place = await lab.place('stopped');
  const suite = makeSuite(path.join(lab.folder, 'stopped'), [{ id: 'a' }, { id: 'b', waitMs: 20_000 }, { id: 'c' }]);
  await using opened = await place.open();
  // The heart of this worker beats too seldom to notice the stop in time: the signal of the database tells it.
  const worker = place.worker(['--lease', '600']);
  const out = path.join(lab.folder, 'stopped-run');
  const running = place.waymark(['run', suite, '--no-screenshots', '--out', out]);
  const underWay = async () =>
    (
      await opened.store.db.execute<{ run_id: string }>(
        sql`select run_id from attempt_event where case_id = 'b' and seq > 2`,
      )
    ).rows[0]?.run_id;
  await expect.poll(underWay, { timeout: 60_000 }).toBeDefined();
  const runId = String(await underWay());
  const stopped = await place.waymark(['runs', 'stop', runId]);
  expect([stopped.code, stopped.out]).toEqual([
    0,
    `run ${runId} is stopped; to let it go on: waymark runs resume ${runId}\n`,
  ]);
  const { code, out: said, err } = await running;
  expect([code, err]).toEqual([
    3,
    expect.stringContaining(`the run was stopped; to let it go on: waymark run ${runId} --resume`),
  ]);
  expect(said).toContain('1 of 3 passed');
  expect(said).toContain('2 of 3 have not finished: 1 interrupted (b), 1 pending (c)');
  expect(worker.said()).toContain('b trial 1  interrupted');
  expect(await cellsOf(opened.store, runId)).toEqual(['a finished 1', 'b pending 1', 'c pending 0']);
  const again = await place.waymark(['runs', 'stop', runId, '--json']);
  expect(JSON.parse(again.out)).toEqual({ run_id: runId, status: 'cancelled' });

  const resumed = await place.waymark(['run', runId, '--resume', '--no-screenshots', '--out', out]);
  expect([resumed.code, resumed.out], resumed.err).toEqual([0, expect.stringContaining('3 of 3 passed')]);
  expect(await cellsOf(opened.store, runId)).toEqual(['a finished 1', 'b finished 2', 'c finished 1']);
  expect(await checkWork(opened, runId, lab.folder)).toMatchObject({ episodes: 3, passed: 3, attempts: 4, torn: 1 });
  const late = await place.waymark(['runs', 'stop', runId]);
  expect([late.code, late.err]).toEqual([
    2,
    expect.stringContaining('The run has completed: there is nothing left to stop.'),
  ]);
  const whole = await place.waymark(['runs', 'resume', runId]);
  expect([whole.code, whole.err]).toEqual([2, expect.stringContaining('there is nothing to try again')]);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toEqual([0, null]);
}, 180_000);

test('--retries counts over all workers, and a retry comes after all others; graders of the run grade it where it ends', async () => {
  const place = await lab.place('retried');
  const suite = makeSuite(path.join(lab.folder, 'retried'), [
    { id: 'a', startUrl: 'http://127.0.0.1:9/' },
    { id: 'b' },
  ]);
  const grader = path.join(lab.folder, 'steps.mjs');
  writeFileSync(
    grader,
    "export default { name: 'steps', version: '1', grade: async () => ({ verdict: 'pass', reasoning: 'There were steps.' }) };\n",
  );
  const runId = await place.begin([suite, '--retries', '1', '--grader', grader, '--no-screenshots']);
  await using opened = await place.open();
  const order: string[] = [];
  // Each attempt by a worker of its own: none of them knows what the others did.
  for (const _ of [1, 2, 3]) {
    const worker = place.worker(['--exit-when-idle', '--json']);
    let isDraining = false;
    worker.child.stdout?.on('data', () => {
      if (!isDraining) worker.child.kill('SIGTERM');
      isDraining = true;
    });
    expect(await worker.exited).toEqual([0, null]);
    const ended = worker
      .said()
      .split('\n')
      .flatMap((line) => (line.startsWith('{"runId"') ? [JSON.parse(line)] : []));
    order.push(...ended.map(({ caseId, attempt, status }) => `${caseId} ${attempt} ${status}`));
  }
  expect(order).toEqual(['a 1 tool_error', 'b 1 passed', 'a 2 tool_error']);
  const last = place.worker(['--exit-when-idle']);
  expect(await last.exited).toEqual([0, null]);
  expect(last.said()).toContain('0 attempts were made here');
  expect(await cellsOf(opened.store, runId)).toEqual(['a finished 2', 'b finished 1']);
  const { rows } = await opened.store.db.execute(
    sql`select case_id, attempt, grader, verdict from grade where run_id = ${runId} order by case_id`,
  );
  expect(rows).toEqual([
    { case_id: 'a', attempt: 2, grader: 'steps', verdict: 'pass' },
    { case_id: 'b', attempt: 1, grader: 'steps', verdict: 'pass' },
  ]);
}, 180_000);

test('the budget of a run counts what all workers have used, also in attempts that were cut off; then nothing more is begun', async () => {
  const place = await lab.place('budget');
  const suite = makeSuite(path.join(lab.folder, 'budget'), [{ id: 'a' }]);
  const begin = () => place.begin([suite, '--trials', '2', '--max-run-tokens', '100', '--no-screenshots']);
  const [used, left] = [await begin(), await begin()];
  await using opened = await place.open();
  const { db } = opened.store;
  for (const [runId, tokens] of [
    [used, 60],
    [left, 59],
  ] as const) {
    const line = JSON.stringify({ seq: 1, type: 'usage', inputTokens: tokens, outputTokens: 40 });
    await db.execute(sql`update cell set attempts = 1 where run_id = ${runId} and trial = 1`);
    await db.execute(
      sql`insert into attempt (run_id, case_id, trial, attempt, started_at) values (${runId}, 'a', 1, 1, now())`,
    );
    await db.execute(sql`insert into attempt_event values (${runId}, 'a', 1, 1, 1, ${line})`);
  }
  const worker = place.worker(['--exit-when-idle']);
  expect(await worker.exited).toEqual([0, null]);
  expect(await cellsOf(opened.store, used)).toEqual(['a missing 2', 'a missing 1']);
  expect(await cellsOf(opened.store, left)).toEqual(['a finished 2', 'a finished 1']);
  expect(worker.said()).toContain("not_begun  The run's budget of 100 tokens is used up (100 were used).");
}, 120_000);
