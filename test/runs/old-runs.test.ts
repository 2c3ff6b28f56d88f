/** Run folders that version 0.1.0 wrote still open: reports, verify, rescore and resume work on copies of them. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FolderRunStore, type RunReport, readRunFile } from '../../src/runs/index.ts';
import { waymark } from '../cli/command-line.ts';
import { taskFile } from '../episode/command.ts';

const RUNS = path.join(import.meta.dirname, '../old-data/runs');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-old-runs-'));
afterAll(() => rmSync(folder, { recursive: true }));

function copyOf(name: string): string {
  const root = path.join(mkdtempSync(path.join(folder, 'copy-')), name);
  cpSync(path.join(RUNS, name), root, { recursive: true });
  return root;
}

/** Every journal of a run, by its path. */
function journals(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const found = files.filter((file) => /^episodes.*events\.jsonl$/.test(file)).sort();
  return new Map(found.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

const reportIn = (root: string): RunReport => JSON.parse(readFileSync(path.join(root, 'report.json'), 'utf8'));
const whole = readdirSync(RUNS).filter((name) => name !== 'killed');

describe.each(readdirSync(RUNS))('%s', (name) => {
  test('opens as a plan with its cells; its id stays', async () => {
    const root = copyOf(name);
    const old: { runId: string; episodes: { folder: string }[] } = JSON.parse(
      readFileSync(path.join(root, 'run.json'), 'utf8'),
    );
    const { plan } = readRunFile(root);
    expect(plan.runId).toBe(old.runId);
    expect(plan.variant).toEqual({ kind: 'agent', agent: { kind: 'scripted' }, server: { name: 'embedded' } });
    const store = new FolderRunStore(root);
    const cells = await Array.fromAsync(store.cells(plan.runId));
    expect(cells.map(({ caseId }) => caseId)).toEqual(old.episodes.map((episode) => episode.folder.split('/')[1]));
    for (const { caseId, trial, state, attempts } of cells) {
      const last = attempts.at(-1);
      expect(state).toBe(last?.finished ? 'finished' : 'pending');
      if (!last) continue;
      const [start] = await Array.fromAsync(store.events({ runId: plan.runId, caseId, trial, attempt: last.attempt }));
      expect(start).toMatchObject({ type: 'start', taskId: caseId, trial, attempt: last.attempt });
    }
  });

  test('report and rescore read its journals, and change none of them', async () => {
    const root = copyOf(name);
    const before = journals(root);
    const made = await waymark(['report', root]);
    expect(made.code, made.err).toBe(0);
    const rescored = await waymark(['rescore', root]);
    expect(rescored.code, rescored.err).toBe(0);
    expect(journals(root)).toEqual(before);
  });
});

test.each(whole)('%s: the report is what 0.1.0 made of it, and verify finds none but names the rules', async (name) => {
  const root = copyOf(name);
  const before = reportIn(root);
  const verified = await waymark(['verify', root]);
  expect(verified.code, verified.out).toBe(0);
  expect(verified.out).toMatch(
    /scored by other rules \(waymark-reward\/1, sha256:\w+\); today's are waymark-reward\/3/,
  );
  await waymark(['report', root]);
  // The warnings of an episode are in reports/<run-id>.json, and no longer in report.json.
  const { summary: counted, ...recorded } = before;
  const episodes = recorded.episodes.map((episode) => ({ ...episode, warnings: undefined }));
  const { summary, ...report } = reportIn(root);
  // That an attempt was interrupted is said of it today.
  const today = report.episodes.map((episode) => ({ ...episode, interrupted: undefined }));
  expect({ ...report, episodes: today }).toEqual({ ...recorded, episodes });
  // It did not count what was planned, which only makes a difference where something has not finished.
  const { passed, validOnly } = counted;
  expect(summary).toMatchObject(name === 'interrupted' ? { passed, validOnly } : counted);
});

test('a killed run of 0.1.0 is resumed: what had ended stays to the byte, and the rest is run', async () => {
  const root = copyOf('killed');
  const before = journals(root);
  const tasks = ['example-h1', 'wizard-book-trip', 'keys-chord'].map(taskFile);
  const ran = await waymark(['run', ...tasks, '--no-screenshots', '--out', root, '--resume']);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err).toContain('is resumed: 1 of 3 have ended\n');
  const after = journals(root);
  for (const [file, text] of before) expect(after.get(file), file).toBe(text);
  expect(reportIn(root).summary).toMatchObject({ episodes: 3, passed: 3 });
  const { runId } = readRunFile(root).plan;
  const store = new FolderRunStore(root);
  expect(await Array.fromAsync(store.cells(runId))).toMatchObject([
    { attempts: [{ attempt: 1, finished: true }] },
    {
      attempts: [
        { attempt: 1, finished: false },
        { attempt: 2, finished: true },
      ],
    },
    { attempts: [{ attempt: 1, finished: true }] },
  ]);
});

test('results of other rules are not written over: the next round gets a number', async () => {
  const root = copyOf('failing');
  await waymark(['rescore', root]);
  const first = path.join(root, 'rescored.json');
  const made = readFileSync(first, 'utf8');
  // The same rules give the same file.
  await waymark(['rescore', root]);
  expect(readFileSync(first, 'utf8')).toBe(made);
  expect(existsSync(path.join(root, 'rescored-2.json'))).toBe(false);
  const other = made.replace(/"scorer": "[^"]*"/, '"scorer": "older rules"');
  expect(other).not.toBe(made);
  writeFileSync(first, other);
  const again = await waymark(['rescore', root]);
  expect(again.out).toContain('rescored-2.json');
  expect(readFileSync(first, 'utf8')).toBe(other);
  expect(readFileSync(path.join(root, 'rescored-2.json'), 'utf8')).toBe(made);
});
