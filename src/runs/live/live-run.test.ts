import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FolderRunStore } from '../folder/folder-run-store.ts';
import { readRunFile, writeRunFile } from '../folder/run-file.ts';
import { lockRun } from '../folder/run-lock.ts';
import { requestStop, watchRunRequests } from '../folder/run-requests.ts';
import { listRunFolders } from './list-run-folders.ts';
import { LiveRun } from './live-run.ts';
import { RunFolders } from './run-folders.ts';
import { folderSource } from './run-source.ts';

const OLD = path.resolve(import.meta.dirname, '../../../test/old-data/runs/passed-with-pictures');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-live-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A run with one cell, whose journal ends after so many lines. */
function runAt(name: string, lines: number) {
  const root = path.join(folder, name);
  cpSync(OLD, root, { recursive: true });
  const journal = path.join(root, 'episodes/example-h1/trial-1/events.jsonl');
  const all = readFileSync(journal, 'utf8').trimEnd().split('\n');
  writeFileSync(
    journal,
    all
      .slice(0, lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
  return { root, journal, rest: all.slice(lines).map((line) => `${line}\n`) };
}

test('follows a journal while it is written; each change has a number, and is told to who has not seen it', async () => {
  const { root, journal, rest } = runAt('growing', 5);
  using _lock = lockRun(root);
  const run = new LiveRun(folderSource(root));
  expect(await run.refresh()).toBe(true);
  expect(run.view().attempts).toMatchObject([
    { id: 'e1', caseId: 'example-h1', status: 'running', tone: 'open', live: { tool: 'navigate' } },
  ]);
  expect(run.view().notes).toContain(
    '0 of 1 have finished so far. What has not finished counts as not passed in the strict rate.',
  );
  const seen = run.version;
  expect(await run.refresh()).toBe(false);
  expect(run.since(seen, 10)).toEqual([]);

  appendFileSync(journal, rest.join(''));
  expect(await run.refresh()).toBe(true);
  expect(run.since(seen, 10)).toMatchObject([{ row: { id: 'e1', status: 'passed', tone: 'good' } }]);
  // Who comes late is told the same rows, as they are now.
  expect(run.since(0, 10).filter(({ row }) => row)).toEqual(run.since(seen, 10));
  expect(run.view()).toMatchObject({ outcomes: [{ name: 'passed', count: 1 }], attempts: [{ steps: 1 }] });
  expect((await run.attempt('e1'))?.steps).toHaveLength(2);
  expect(await run.attempt('e2')).toBeUndefined();
});

test('a run that is only graded does not run: what was cut off stays so', async () => {
  const { root } = runAt('graded', 5);
  const run = new LiveRun(folderSource(root));
  using _lock = lockRun(root, 'grade');
  await run.refresh();
  expect(run.isRunning).toBe(false);
  expect(run.view().attempts[0]).toMatchObject({ status: 'interrupted', tone: 'fault' });
});

test('one attempt of a run at rest is read without the others; of a run that is written, all are', async () => {
  const { root } = runAt('at-rest', Number.POSITIVE_INFINITY);
  const { plan } = readRunFile(root);
  const others = Array.from({ length: 50 }, (_, index) => ({ caseId: `other-${index}`, trial: 1 }));
  writeRunFile(root, { plan: { ...plan, cells: [...plan.cells, ...others] }, endedAt: new Date(0).toISOString() });
  const source = folderSource(root);
  const read: number[] = [];
  const counted: typeof source = {
    ...source,
    cell: (run, place, before) => {
      read.push(place.index);
      return source.cell(run, place, before);
    },
  };
  const run = new LiveRun(counted);
  expect(await run.isAtRest()).toBe(true);
  expect((await run.attempt('e1'))?.steps).toHaveLength(2);
  expect(await run.attempt('e52')).toBeUndefined();
  expect([await run.cell('e0'), await run.cell('x'), run.version]).toEqual([undefined, undefined, 0]);
  expect(read).toEqual([0]);

  using _lock = lockRun(root);
  expect(await run.isAtRest()).toBe(false);
  await run.refresh();
  expect(read).toHaveLength(1 + 51);
  expect((await run.attempt('e1'))?.steps).toHaveLength(2);
  expect(read).toHaveLength(1 + 51);
});

test('a cell that is tried once more is shown by its new attempt while that goes on, and the feed tells both', async () => {
  const { root } = runAt('tried-again', Number.POSITIVE_INFINITY);
  const cell = { caseId: 'example-h1', trial: 1 };
  using store = new FolderRunStore(root);
  const runId = readRunFile(root).plan.runId;
  await store.claim(runId, 'test', 0);
  const run = new LiveRun(folderSource(root));
  await run.refresh();
  expect(run.view().attempts).toMatchObject([{ attempt: 1, status: 'passed' }]);

  await store.reopen(runId, [cell]);
  const [claim] = await store.claim(runId, 'test', 1);
  if (!claim) throw new Error('There is nothing to claim.');
  // The viewer looks between the claim and the attempt, too.
  await run.refresh();
  await using writer = await store.open(claim);
  for await (const { seq: _seq, time: _time, ...event } of store.events({ runId, ...cell, attempt: 1 })) {
    if (event.type === 'start') writer.append({ ...event, attempt: 2 });
    if (event.type === 'tool_call') writer.append(event);
  }
  await run.refresh();
  expect(run.view().attempts).toMatchObject([{ attempt: 2, status: 'running', live: { tool: 'read_page' } }]);
  const late = new LiveRun(folderSource(root));
  await late.refresh();
  expect(late.feed).toEqual(run.feed);
  expect(new Set(run.feed.map(({ attempt }) => attempt))).toEqual(new Set([1, 2]));
});

test('an attempt that nobody writes any more is not running', async () => {
  const { root } = runAt('killed', 5);
  const run = new LiveRun(folderSource(root));
  await run.refresh();
  expect(run.isRunning).toBe(false);
  expect(run.view().attempts).toMatchObject([{ tone: 'fault' }]);
});

test('lists the runs of a folder with what they came to, and opens them by their id', async () => {
  const places = new RunFolders([path.join(folder, 'none'), OLD]);
  const [listed] = listRunFolders(places, 10);
  expect(listed).toMatchObject({
    variant: 'scripted on embedded',
    state: 'ended',
    planned: 1,
    passed: 1,
    kind: 'tasks',
  });
  expect((await places.open(listed?.id ?? '')).view().title).toBe(`1 of 1 passed: Run ${listed?.id}`);
  await expect(places.open('../old-data')).rejects.toThrow('There is no run ../old-data in the folders');
});

test('a request to stop is heard by the process that writes the run, and an old one is not', async () => {
  requestStop(folder);
  using requests = watchRunRequests(folder);
  const stopped = new Promise((resolve) => requests.signal.addEventListener('abort', resolve, { once: true }));
  requestStop(folder);
  await stopped;
  expect(requests.signal.aborted).toBe(true);
});
