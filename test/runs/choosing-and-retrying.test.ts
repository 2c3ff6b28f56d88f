/** Which tasks are run, how often, and what is written of them: `waymark run` in a real browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder, waymark } from '../cli/command-line.ts';
import { failingTasks, taskFile, tasks } from '../episode/command.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const PASSES = taskFile('example-h1');
const FAILS = path.join(failingTasks, 'fail-wrong-text.task.json');
const DEAD = path.join(failingTasks, 'fail-dead-host.task.json');
const run = (...args: string[]) => waymark(['run', ...args, '--no-screenshots'], folder.path);
const runsIn = (): string[] => readdirSync(path.join(folder.path, '.waymark', 'runs')).sort();

test('the list and the preview start nothing and write nothing', async () => {
  const listed = await run(tasks, '--filter', 'frame-*,keys', '--list');
  expect(listed).toMatchObject({ code: 0, err: '' });
  expect(listed.out.split('\n').map((line) => line.split('  ')[0])).toEqual([
    'frame-cross-site',
    'frame-same-origin',
    'keys-chord',
    '',
  ]);
  const preview = await run(tasks, '--sample', '4', '--seed', '2', '--trials', '3', '--concurrency', '2', '--preview');
  expect(preview.code).toBe(0);
  expect(preview.out).toContain('episodes  12 (4 tasks × 3 trials)\n');
  expect(preview.out).toContain('cost      at most $0\n');
  const json = JSON.parse((await run(PASSES, '--retries', '1', '--trials', '2', '--preview', '--json')).out);
  expect(json).toMatchObject({ episodes: 2, retries: 1, worstCase: { attempts: 4, steps: 20, costUsd: 0 } });
  expect(existsSync(path.join(folder.path, '.waymark'))).toBe(false);
});

test('a fault of the environment is tried again and its evidence stays, a failure is not; then only what did not pass', async () => {
  const ran = await run(PASSES, FAILS, DEAD, '--retries', '1', '--reporter', 'junit=out/results.xml,github=s.md,list');
  expect(ran.code, ran.err).toBe(1);
  expect(ran.err).toMatch(/fail-dead-host {2}tool_error {2}.*\(tried again\)\n/);
  const [first = ''] = runsIn();
  const root = path.join(folder.path, '.waymark', 'runs', first);
  const attempts = (id: string): string[] => readdirSync(path.join(root, 'episodes', id)).sort();
  expect(attempts('fail-dead-host')).toEqual(['trial-1', 'trial-1-attempt-2']);
  expect(attempts('fail-wrong-text')).toEqual(['trial-1']);
  const { summary } = JSON.parse(readFileSync(path.join(root, 'report.json'), 'utf8'));
  expect(summary).toMatchObject({ planned: 3, outcomes: { passed: 1, failed: 1, env_error: 1 } });
  expect(readFileSync(path.join(folder.path, 'out/results.xml'), 'utf8')).toContain(
    'tests="3" failures="1" errors="1" skipped="0"',
  );
  expect(readFileSync(path.join(folder.path, 's.md'), 'utf8')).toContain('### ❌ 1 of 3 passed');

  const again = await run(PASSES, FAILS, DEAD, '--last-failed', '--list');
  expect(again.out.split('\n').map((line) => line.split('  ')[0])).toEqual(['fail-wrong-text', 'fail-dead-host', '']);
});

test('with --fail-fast nothing is begun after a failure; the same command goes on, and when all is done begins anew', async () => {
  const before = runsIn();
  const stopped = await run(FAILS, PASSES, '--fail-fast');
  expect(stopped.code).toBe(1);
  expect(stopped.err).toContain('nothing more was begun after fail-wrong-text did not pass (--fail-fast)\n');
  expect(stopped.out).toContain('1 of 2 has not finished: 1 pending (example-h1)');
  const continued = await run(FAILS, PASSES);
  expect(continued.err).toMatch(/^run \S+ is resumed: 1 of 2 have ended\n2\/2 {2}example-h1 {2}passed\n$/);
  expect(runsIn()).toHaveLength(before.length + 1);
  const preview = await run(FAILS, PASSES, '--limit', '1', '--reporter', 'junit');
  expect(preview.out).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="waymark" tests="1"/);
  expect(runsIn()).toHaveLength(before.length + 2);
});

test('shards are merged into the run that one command would have made; parts that do not fit are refused', async () => {
  const args = [PASSES, taskFile('keys-chord'), FAILS];
  for (const index of [1, 2]) await run(...args, '--shard', `${index}/2`, '--out', `part-${index}`);
  await run(...args, '--out', 'whole');
  const alone = await waymark(['merge', 'part-2', '--out', 'half'], folder.path);
  expect(alone).toMatchObject({
    code: 2,
    err: expect.stringContaining('Of 2 shards, one is missing: 1. Nothing was merged.'),
  });
  const twice = await waymark(['merge', 'part-1', 'part-2', 'part-1', '--out', 'half'], folder.path);
  expect(twice.err).toContain('Shard 1/2 is given twice. Nothing was merged.');
  const other = await waymark(['merge', 'part-1', 'whole', '--out', 'half'], folder.path);
  expect(other.err).toContain('whole is not a shard: it was run without --shard. Nothing was merged.');
  expect(existsSync(path.join(folder.path, 'half'))).toBe(false);

  const merged = await waymark(['merge', 'part-2', 'part-1', '--out', 'all'], folder.path);
  expect(merged, merged.err).toMatchObject({ code: 1, out: expect.stringContaining('2 of 3 passed\n') });
  const planOf = (name: string) => JSON.parse(readFileSync(path.join(folder.path, name, 'run.json'), 'utf8')).plan;
  const [all, whole] = [planOf('all'), planOf('whole')];
  expect({ cells: all.cells, inputs: all.inputs, suite: all.suite, oracleSteps: all.oracleSteps }).toEqual({
    cells: whole.cells,
    inputs: whole.inputs,
    suite: whole.suite,
    oracleSteps: whole.oracleSteps,
  });
  expect(all.mergedFrom).toEqual([planOf('part-1').runId, planOf('part-2').runId]);
  expect((await waymark(['verify', 'all'], folder.path)).code).toBe(0);
});
