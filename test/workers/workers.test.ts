/** What `waymark run --database` and `waymark worker` promise, with real processes, PostgreSQL, a bucket that checks signatures, and Chromium. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkWork, isAnywhere } from './check-work.ts';
import { makeSuite } from './made-suite.ts';
import { WorkerLab } from './worker-lab.ts';

let lab: WorkerLab;
beforeAll(async () => {
  lab = await WorkerLab.open();
});
afterAll(() => lab?.[Symbol.asyncDispose]());

test('a run is made, executed by a worker that has no files of it, and comes back as a folder; secrets stay with workers', async () => {
  const place = await lab.place('whole');
  const suite = makeSuite(path.join(lab.folder, 'whole'), [{ id: 'open' }, { id: 'secret', secret: 'LIST_SECRET' }]);
  // The one who makes the run has no secret, and one of the workers has none either.
  const poor = place.worker();
  await expect.poll(poor.said).toContain('takes 1 at a time');
  const out = path.join(lab.folder, 'came-back');
  const running = place.waymark(['run', suite, '--out', out]);
  await expect.poll(poor.said).toContain('open trial 1  passed');
  await expect.poll(poor.said).toContain('cases that need LIST_SECRET are left to other workers: it has no value here');
  const rich = place.worker([], { LIST_SECRET: 'swordfish-4711' });
  const { code, out: said, err } = await running;
  expect(code, err).toBe(0);
  expect(said).toContain('2 of 2 passed');
  expect(poor.said()).not.toContain('secret trial 1');
  expect(rich.said()).toContain('secret trial 1  passed');
  for (const worker of [poor, rich]) {
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toEqual([0, null]);
  }
  expect(readdirSync(path.join(out, 'episodes', 'open', 'trial-1', 'screenshots')).length).toBeGreaterThan(0);
  expect(existsSync(path.join(out, 'report.html'))).toBe(true);
  await using opened = await place.open();
  const { runId } = JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')) as { runId: string };
  expect(await checkWork(opened, runId, lab.folder)).toMatchObject({ episodes: 2, passed: 2, attempts: 2, torn: 0 });
  expect(await isAnywhere(opened, 'swordfish-4711')).toBeUndefined();
  // What is looked for is found where it is.
  expect(await isAnywhere(opened, 'LIST_SECRET')).toBeDefined();
  expect((await opened.store.db.execute(sql`select id from worker`)).rows).toEqual([]);
});

test('SIGTERM: what is under way is finished, and nothing new is claimed; another worker does the rest', async () => {
  const place = await lab.place('drained');
  const suite = makeSuite(path.join(lab.folder, 'drained'), [{ id: 'slow', waitMs: 1_500 }]);
  const runId = await place.begin([suite, '--trials', '3', '--no-screenshots']);
  await using opened = await place.open();
  const first = place.worker();
  const running = async () =>
    (
      await opened.store.db.execute<{ running: number }>(
        sql`select count(*)::int as running from attempt_event where seq = 2`,
      )
    ).rows[0]?.running;
  await expect.poll(running).toBe(1);
  first.child.kill('SIGTERM');
  expect(await first.exited).toEqual([0, null]);
  expect(first.said()).toContain('slow trial 1  passed');
  expect(first.said()).toContain('1 attempts were made here');
  const second = place.worker(['--exit-when-idle', '--concurrency', '2']);
  expect(await second.exited).toEqual([0, null]);
  expect(await checkWork(opened, runId, lab.folder)).toMatchObject({ episodes: 3, passed: 3, attempts: 3, torn: 0 });
});

test('a worker leaves runs of another version and for other labels, and refuses a database of another version', async () => {
  const place = await lab.place('versions');
  const suite = makeSuite(path.join(lab.folder, 'versions'), [{ id: 'open' }]);
  const labelled = await place.begin([suite, '--worker-labels', 'gpu', '--no-screenshots']);
  const other = await place.begin([suite, '--no-screenshots']);
  await using opened = await place.open();
  await opened.store.db.execute(sql`update run_work set version = '99.0.0' where run_id = ${other}`);
  const plain = place.worker(['--exit-when-idle']);
  expect(await plain.exited).toEqual([0, null]);
  expect(plain.said()).toContain(`run ${other} was made by waymark 99.0.0 and is left to workers of that version`);
  expect(plain.said()).toContain('0 attempts were made here');
  const able = place.worker(['--exit-when-idle', '--labels', 'eu,gpu']);
  expect(await able.exited).toEqual([0, null]);
  expect(await checkWork(opened, labelled, lab.folder)).toMatchObject({ episodes: 1, passed: 1 });

  await opened.store.db.execute(
    sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
  );
  const { code, err } = await place.waymark(['worker']);
  expect([code, err]).toEqual([
    3,
    expect.stringContaining('The database was made by an older waymark: it lacks 1 migration'),
  ]);
});

test('flags that are about one machine are refused before anything is made', async () => {
  const suite = makeSuite(path.join(lab.folder, 'refused'), [{ id: 'open' }]);
  // No database is there, and none is asked.
  const flags = ['--database', 'postgres://127.0.0.1:9/none', '--concurrency', '2'];
  const { code, err } = await lab.run(['run', suite, ...flags], {});
  expect([code, err]).toEqual([2, expect.stringContaining('--concurrency is for runs on one machine')]);
});
