import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { attemptPath, FolderRunStore } from '../../src/runs/index.ts';
import { gradeOf, planOf, STOP, startOf } from './attempts.ts';
import { runStoreContract, type StoreUnderTest } from './run-store-contract.ts';

async function folderStore(): Promise<StoreUnderTest & { root: string }> {
  const parent = mkdtempSync(path.join(tmpdir(), 'waymark-store-'));
  const root = path.join(parent, 'run');
  return {
    root,
    open: async () => {
      const store = new FolderRunStore(root);
      return { store, [Symbol.asyncDispose]: async () => store[Symbol.dispose]() };
    },
    // As the message of a run that is locked says: when its owner is gone, the file is removed.
    expireLeases: async () => rmSync(path.join(root, 'run.lock'), { force: true }),
    journalBytes: async (attempt) => readFileSync(path.join(root, attemptPath(attempt), 'events.jsonl')),
    child: { module: path.join(import.meta.dirname, 'open-folder-store.ts'), options: { root } },
    [Symbol.asyncDispose]: async () => rmSync(parent, { recursive: true }),
  };
}

runStoreContract('a folder', folderStore);

/** A store with one attempt that has ended. */
async function oneAttempt(root: string) {
  const plan = planOf(['a']);
  const store = new FolderRunStore(root);
  await store.create(plan);
  const [claim] = await store.claim(plan.runId, 'w', 1);
  if (!claim) throw new Error('a cell is open');
  const writer = await store.open(claim);
  writer.append(startOf(claim.attempt));
  writer.append(STOP);
  await writer.finish();
  return { store, plan, attempt: claim.attempt, folder: store.folderOf(claim.attempt) };
}

test('a journal whose last line was torn reads as far as it is whole, and counts as cut off', async () => {
  await using under = await folderStore();
  const { store, plan, attempt, folder } = await oneAttempt(under.root);
  store[Symbol.dispose]();
  const file = path.join(folder, 'events.jsonl');
  const [start = '', stop = ''] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${start}\n${stop.slice(0, 40)}`);
  using resumed = new FolderRunStore(under.root);
  expect((await Array.fromAsync(resumed.events(attempt))).map(({ type }) => type)).toEqual(['start']);
  expect(await resumed.claim(plan.runId, 'w', 1)).toMatchObject([{ attempt: { attempt: 2 } }]);
  expect(readFileSync(file, 'utf8')).toBe(`${start}\n${stop.slice(0, 40)}`);
});

test('a grade whose line was torn was never there: the next one takes its place', async () => {
  await using under = await folderStore();
  const { store, attempt, folder } = await oneAttempt(under.root);
  await store.appendGrades(attempt, [gradeOf('answer', 1)]);
  appendFileSync(path.join(folder, 'grades.jsonl'), '{"grader":"answer","round":2,"verd');
  expect(await store.grades(attempt)).toEqual([gradeOf('answer', 1)]);
  await store.appendGrades(attempt, [gradeOf('answer', 2)]);
  expect(await store.grades(attempt)).toEqual([gradeOf('answer', 1), gradeOf('answer', 2)]);
  expect(readFileSync(path.join(folder, 'grades.jsonl'), 'utf8').split('\n')).toHaveLength(3);
  store[Symbol.dispose]();
});

test('one process writes a run: another is refused, by its number; a lock that a dead process left is taken over', async () => {
  await using under = await folderStore();
  const { store, plan } = await oneAttempt(under.root);
  using second = new FolderRunStore(under.root);
  await expect(second.claim(plan.runId, 'w', 1)).rejects.toMatchObject({
    code: 'usage_run_busy',
    message: `The run ${under.root} is being written by process ${process.pid}.`,
  });
  // Reading needs no lock.
  expect(await Array.fromAsync(second.cells(plan.runId))).toMatchObject([{ state: 'finished' }]);
  store[Symbol.dispose]();
  const lock = path.join(under.root, 'run.lock');
  expect(existsSync(lock)).toBe(false);
  // The number of this process, written by an earlier one that had it: a container gives the same number at each start.
  writeFileSync(lock, `${process.pid}\n`);
  expect(await second.claim(plan.runId, 'w', 1)).toEqual([]);
});

test('an import that was cut off leaves nothing that looks like a run', async () => {
  await using under = await folderStore();
  const store = new FolderRunStore(under.root);
  const plan = planOf(['a', 'b']);
  const attempt = { runId: plan.runId, caseId: 'a', trial: 1, attempt: 1 };
  await expect(store.addFinished(plan, [{ attempt, events: [] }])).rejects.toThrow();
  expect(existsSync(under.root)).toBe(false);
});
