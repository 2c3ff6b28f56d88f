import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunPlan } from '../../events/index.ts';
import type { Claim } from '../run-store.ts';
import { FolderRunStore } from './folder-run-store.ts';
import { readRunFile } from './run-file.ts';
import { isExecuted, isLocked } from './run-lock.ts';

let root: string;
beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'waymark-store-')), 'run');
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

const PLAN: RunPlan = {
  runId: 'run-1',
  suite: { name: 'suite', hash: 'h' },
  variant: { kind: 'agent', agent: { kind: 'env' }, server: { name: 'embedded' } },
  trials: 1,
  cells: [],
  inputs: { hash: 'h', of: {} },
  createdAt: 0,
};
const file = (name: string): string => path.join(root, name);

test('a folder with other things is refused and left as it is; what a kill left of a beginning is not in the way', async () => {
  mkdirSync(root);
  writeFileSync(file('thesis.docx'), 'years of work');
  using store = new FolderRunStore(root);
  await expect(store.create(PLAN)).rejects.toThrow(
    `${root} is no run and has other things in it (thesis.docx). Nothing was run.`,
  );
  expect(readdirSync(root)).toEqual(['thesis.docx']);
  rmSync(file('thesis.docx'));
  writeFileSync(file('run.lock'), '99999999\n');
  await store.create(PLAN);
  expect(readRunFile(root).plan).toEqual(PLAN);
});

test.skipIf(process.platform !== 'linux')(
  'a folder that no system makes is an error, and not an endless loop',
  async () => {
    using store = new FolderRunStore('/proc/x/y');
    await expect(store.create(PLAN)).rejects.toMatchObject({ code: 'file_write_failed' });
  },
);

test('who only grades a run writes it, but does not execute it', async () => {
  const attempt = { runId: 'run-1', caseId: 'a', trial: 1, attempt: 1 };
  {
    using store = new FolderRunStore(root);
    await store.create({ ...PLAN, cells: [{ caseId: 'a', trial: 1 }] });
    const [claim] = await store.claim('run-1', 'worker', 1);
    await using _cut = await store.open(claim as Claim);
    expect([isLocked(root), isExecuted(root)]).toEqual([true, true]);
  }
  using grading = new FolderRunStore(root);
  await grading.keepArtifact(attempt, 'grades/picture.png', new Uint8Array(1));
  expect([isLocked(root), isExecuted(root)]).toEqual([true, false]);
  using reader = new FolderRunStore(root);
  expect(await Array.fromAsync(reader.cells('run-1'), ({ state }) => state)).toEqual(['pending']);
});

describe('trials that are claimed one by one', () => {
  test('2,000 of them cost a line each: the plan is not written again before the end, and lines are only appended', async () => {
    using store = new FolderRunStore(root);
    await store.create(PLAN);
    const plan = statSync(file('run.json'), { bigint: true });
    const lines: string[] = [];
    for (let n = 1; n <= 2_000; n++) {
      const caseId = n % 2 === 0 ? 'even' : 'odd';
      const { attempt } = store.claimNext('run-1', caseId);
      lines.push(`${JSON.stringify({ caseId, trial: attempt.trial })}\n`);
      if (n % 500 === 0) expect(readFileSync(file('cells.jsonl'), 'utf8')).toBe(lines.join(''));
    }
    expect(lines.at(-1)).toBe('{"caseId":"even","trial":1000}\n');
    // A file that is written again has another number.
    expect(statSync(file('run.json'), { bigint: true })).toMatchObject({ ino: plan.ino, mtimeNs: plan.mtimeNs });
    expect(PLAN.cells).toEqual([]);

    await store.end('run-1', 1);
    expect(existsSync(file('cells.jsonl'))).toBe(false);
    expect(readRunFile(root)).toMatchObject({ endedAt: '1970-01-01T00:00:00.001Z', plan: { trials: 1_000 } });
    expect(readRunFile(root).plan.cells).toHaveLength(2_000);
  });

  test('after a kill, all that were acknowledged are there, and the next one follows them', async () => {
    {
      using killed = new FolderRunStore(root);
      await killed.create(PLAN);
      for (const caseId of ['a', 'b', 'a']) killed.claimNext('run-1', caseId);
    }
    // In the middle of a line.
    appendFileSync(file('cells.jsonl'), '{"caseId":"b","tri');
    const cells = [
      { caseId: 'a', trial: 1 },
      { caseId: 'b', trial: 1 },
      { caseId: 'a', trial: 2 },
    ];
    expect(readRunFile(root).plan).toMatchObject({ trials: 2, cells });
    using store = new FolderRunStore(root);
    expect(store.claimNext('run-1', 'b').attempt).toMatchObject({ caseId: 'b', trial: 2 });
    expect(readRunFile(root).plan.cells).toEqual([...cells, { caseId: 'b', trial: 2 }]);
  });

  test('a kill between the two files leaves no cell twice', async () => {
    using store = new FolderRunStore(root);
    await store.create({ ...PLAN, cells: [{ caseId: 'a', trial: 1 }] });
    appendFileSync(file('cells.jsonl'), '{"caseId":"a","trial":1}\n{"caseId":"a","trial":2}\n');
    expect(readRunFile(root).plan.cells).toEqual([
      { caseId: 'a', trial: 1 },
      { caseId: 'a', trial: 2 },
    ]);
  });

  test('a run that had ended has not ended once another is claimed', async () => {
    using store = new FolderRunStore(root);
    await store.create(PLAN);
    store.claimNext('run-1', 'a');
    await store.end('run-1', 1);
    store.claimNext('run-1', 'a');
    expect(readRunFile(root)).toMatchObject({ plan: { trials: 2 } });
    expect(readRunFile(root).endedAt).toBeUndefined();
  });
});
