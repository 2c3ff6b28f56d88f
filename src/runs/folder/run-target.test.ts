import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunPlan } from '../../events/index.ts';
import { writeManifest } from '../integrity/manifest.ts';
import type { TaskRun } from '../resolve-tasks.ts';
import { newRunId } from '../run-id.ts';
import { hashOf } from '../run-inputs.ts';
import { FolderRunStore } from './folder-run-store.ts';
import { runsFolder } from './newest-runs.ts';
import { runTarget } from './run-target.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-target-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

let clock = Date.UTC(2026, 0, 1);
function planned(of: Record<string, string> = { agent: 'a' }): TaskRun {
  const plan: RunPlan = {
    runId: newRunId(new Date(clock++)),
    suite: { name: 's', hash: '' },
    variant: { kind: 'agent', agent: { kind: 'a' }, server: { name: 'embedded' } },
    trials: 1,
    cells: [
      { caseId: 'x', trial: 1 },
      { caseId: 'y', trial: 1 },
    ],
    inputs: { hash: hashOf(of), of },
    createdAt: clock,
  };
  return { kind: 'tasks', plan } as TaskRun;
}

const target = (run: TaskRun, out?: string, continues = true) =>
  runTarget(run, { out, resume: false, run: undefined, cwd, continues });

/** A run in its place, with so many of its two cells finished. */
async function made(
  { plan }: TaskRun,
  finished: number,
  { isEnded = true, hasReports = isEnded, out = '' }: { isEnded?: boolean; hasReports?: boolean; out?: string } = {},
): Promise<string> {
  const root = out || path.join(runsFolder(cwd), plan.runId);
  using store = new FolderRunStore(root);
  await store.create(plan);
  for (const claim of await store.claim(plan.runId, 'w', finished)) {
    await using writer = await store.open(claim);
    const { runId, caseId: taskId, trial, attempt } = claim.attempt;
    writer.append({ type: 'start', kind: 'question', runId, taskId, trial, attempt, agent: { kind: 'a' } });
    writer.append({ type: 'stop', status: 'passed', reason: 'fine' });
    await writer.finish();
  }
  if (isEnded) await store.end(plan.runId, clock);
  if (hasReports) writeManifest(root, plan.runId);
  return root;
}

describe('the same command', () => {
  test('continues a run that was killed, and one that was stopped with cells left', async () => {
    const first = planned();
    const root = await made(first, 1, { isEnded: false });
    const again = target(planned());
    expect(again).toMatchObject({ root, isResumed: true });
    expect(again.run.plan).toMatchObject({ runId: first.plan.runId, createdAt: first.plan.createdAt });
    const stopped = await made(planned(), 1);
    expect(target(planned())).toMatchObject({ root: stopped, isResumed: true });
  });

  test('continues a run whose cells are all finished, and which a kill kept from its end', async () => {
    const root = await made(planned(), 2, { isEnded: false });
    expect(target(planned())).toMatchObject({ root, isResumed: true });
  });

  test('continues a run that has ended, and which a kill kept from its reports', async () => {
    const root = await made(planned(), 2, { hasReports: false });
    expect(target(planned())).toMatchObject({ root, isResumed: true, isEnded: true });
  });

  test('begins a new run after a finished one, though an older one is not finished', async () => {
    await made(planned(), 1);
    await made(planned(), 2);
    const next = planned();
    expect(target(next)).toEqual({ root: path.join(runsFolder(cwd), next.plan.runId), run: next, isResumed: false });
  });

  test('takes away the lock of a process that was killed after it had finished the run', async () => {
    const root = await made(planned(), 2);
    // No process has this number.
    for (const name of ['run.lock', 'run.lock.b1']) writeFileSync(path.join(root, name), '99999999\nleft\n');
    expect(target(planned()).isResumed).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith('run.lock'))).toEqual([]);
  });

  test('removes what a kill has left of the first moment of a run, and nothing of a process that runs', () => {
    const left = (text: string): string => {
      const root = path.join(runsFolder(cwd), newRunId(new Date(clock++)));
      mkdirSync(root, { recursive: true });
      writeFileSync(path.join(root, 'run.lock.b1'), text);
      return root;
    };
    const [gone, running] = [left('99999999\nleft\n'), left(`${process.ppid}\nalive\n`)];
    target(planned());
    expect([existsSync(gone), existsSync(running)]).toEqual([false, true]);
  });

  test('begins a new run with other inputs, and where it is asked to', async () => {
    await made(planned(), 1);
    expect(target(planned({ agent: 'b' })).isResumed).toBe(false);
    expect(target(planned(), undefined, false).isResumed).toBe(false);
  });

  test('begins a new run beside one that another process writes', async () => {
    const root = await made(planned(), 1, { isEnded: false });
    writeFileSync(path.join(root, 'run.lock'), `${process.ppid}\n`);
    expect(target(planned()).isResumed).toBe(false);
  });

  test('does not try again for ever what could not be begun', async () => {
    const run = planned();
    const root = await made(run, 1, { isEnded: false });
    {
      using store = new FolderRunStore(root);
      const [claim] = await store.claim(run.plan.runId, 'w', 1);
      if (!claim) throw new Error('Nothing to claim.');
      await store.giveUp(claim, { reason: 'The server does not support it.', outcome: 'server_error' });
      await store.end(run.plan.runId, clock);
      writeManifest(root, run.plan.runId);
    }
    expect(target(planned()).isResumed).toBe(false);
  });
});

describe('with a folder', () => {
  test('an unfinished run of the same inputs is continued; a finished one, and one of other inputs, are refused', async () => {
    const out = path.join(cwd, 'here');
    await made(planned(), 1, { out });
    expect(target(planned(), 'here')).toMatchObject({ root: out, isResumed: true });
    expect(() => target(planned({ agent: 'b' }), 'here')).toThrow(
      `There is a run in ${out} already, and its inputs differ from this command's. Nothing was run.\nagent was a, and is b now.`,
    );
    const done = path.join(cwd, 'done');
    await made(planned(), 2, { out: done });
    expect(() => target(planned(), 'done')).toThrow(`There is a finished run in ${done} already. Nothing was run.`);
    expect(() => target(planned(), 'here', false)).toThrow(`There is a run in ${out} already. Nothing was run.`);
  });
});
