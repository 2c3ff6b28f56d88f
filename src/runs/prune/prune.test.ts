import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { note, planOf, STOP, startOf } from '../../../test/runs/attempts.ts';
import { FolderRunStore } from '../folder/folder-run-store.ts';
import { pruneFolders } from './prune-folders.ts';
import { References } from './references.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-18T00:00:00Z');
const parent = mkdtempSync(path.join(tmpdir(), 'waymark-prune-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let runs: string;
let folders = 0;
beforeEach(() => {
  runs = path.join(parent, `runs-${folders++}`);
  mkdirSync(runs);
});

async function madeRun(days: number, status: 'passed' | 'failed' = 'passed'): Promise<string> {
  const plan = { ...planOf(['a']), createdAt: NOW - days * DAY };
  using store = new FolderRunStore(path.join(runs, plan.runId));
  await store.create(plan);
  const [claim] = await store.claim(plan.runId, 'w', 1);
  if (!claim) throw new Error('a cell is open');
  await using writer = await store.open(claim);
  writer.append(startOf(claim.attempt));
  writer.append(note('one'));
  writer.append({ ...STOP, status });
  await writer.finish();
  await store.end(plan.runId, NOW);
  return plan.runId;
}

const isThere = (runId: string): boolean => existsSync(path.join(runs, runId));
const none = new References([]);

test('by age: what is older goes', async () => {
  const [young, old] = [await madeRun(2), await madeRun(40)];
  const choices = { olderThanMs: 30 * DAY, references: none, now: NOW };
  expect(await pruneFolders(runs, { ...choices, isTrial: true })).toEqual({ removed: [old], kept: [] });
  expect(isThere(old)).toBe(true);
  expect(await pruneFolders(runs, choices)).toEqual({ removed: [old], kept: [] });
  expect([isThere(young), isThere(old)]).toEqual([true, false]);
});

test('by count: the newest stay, however the folders are named', async () => {
  const made = [await madeRun(9), await madeRun(1), await madeRun(5)];
  expect((await pruneFolders(runs, { keep: 2, references: none, now: NOW })).removed).toEqual([made[0]]);
  expect(made.map(isThere)).toEqual([false, true, true]);
});

test('by class: only runs whose episodes all ended so', async () => {
  const [passed, failed] = [await madeRun(5), await madeRun(5, 'failed')];
  const choices = { keep: 0, classes: ['passed' as const], references: none, now: NOW };
  expect((await pruneFolders(runs, choices)).removed).toEqual([passed]);
  expect([isThere(passed), isThere(failed)]).toEqual([false, true]);
});

test('what a baseline or a comparison names stays, and the answer says which file', async () => {
  const [named, compared, free] = [await madeRun(40), await madeRun(41), await madeRun(42)];
  const files = path.join(parent, `files-${folders}`);
  mkdirSync(path.join(files, 'below'), { recursive: true });
  writeFileSync(path.join(files, 'main.json'), JSON.stringify({ format: 'waymark.baseline.v1', runId: named }));
  writeFileSync(path.join(files, 'below', 'compare.md'), `| ${compared} |`);
  writeFileSync(path.join(files, 'notes.txt'), free);
  const references = new References([files, path.join(files, 'below')]);
  expect(await pruneFolders(runs, { keep: 0, references, now: NOW })).toEqual({
    removed: [free],
    kept: [
      { runId: named, why: `${path.join(files, 'main.json')} refers to it` },
      { runId: compared, why: `${path.join(files, 'below', 'compare.md')} refers to it` },
    ],
  });
  expect([named, compared, free].map(isThere)).toEqual([true, true, false]);
  expect(() => new References([path.join(files, 'missing')])).toThrow("which runs it refers to can't be known");
});

test('a run that is being written stays', async () => {
  const plan = { ...planOf(['a']), createdAt: NOW - 40 * DAY };
  using store = new FolderRunStore(path.join(runs, plan.runId));
  await store.create(plan);
  expect(await pruneFolders(runs, { keep: 0, references: none, now: NOW })).toEqual({
    removed: [],
    kept: [{ runId: plan.runId, why: 'it is being written' }],
  });
});
