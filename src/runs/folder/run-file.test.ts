import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReports } from '../write-reports.ts';
import { readRunFile } from './run-file.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-run-file-'));
  root = path.join(folder, 'runs', 'run');
  mkdirSync(root, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(runId: string): void {
  const plan = {
    runId,
    suite: { name: 'suite', hash: 'h' },
    variant: { kind: 'agent', agent: { kind: 'scripted' }, server: { name: 'embedded' } },
    trials: 1,
    cells: [],
    inputs: { hash: 'h', of: {} },
    createdAt: 0,
  };
  writeFileSync(path.join(root, 'run.json'), JSON.stringify({ format: 'waymark.run.v2', plan }));
}

test.each(['../../x', '..', '.', 'a/b', 'a\\b', '/etc/x', 'a\0b', '.hidden', 'x'.repeat(200)])(
  'an id that is no file name is refused, and nothing is written: %j',
  async (runId) => {
    put(runId);
    const refused = { code: 'usage_not_a_run', message: expect.stringContaining('which is no file name') };
    expect(() => readRunFile(root)).toThrow(expect.objectContaining(refused));
    await expect(writeReports(root)).rejects.toMatchObject(refused);
    expect(readdirSync(folder, { recursive: true })).toHaveLength(3);
  },
);

test.each(['20261116-060901-d3dce1', '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b', 'run-of-a-test'])(
  'an id of a version of Waymark is read: %s',
  (runId) => {
    put(runId);
    expect(readRunFile(root).plan.runId).toBe(runId);
  },
);

test('a link in place of the folder of reports is not followed', async () => {
  put('run-1');
  const outside = path.join(folder, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, path.join(root, 'reports'));
  await writeReports(root);
  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(path.join(root, 'reports', 'run-1.json'))).toBe(true);
});

test('a folder outside of the run is not named by a run of version 0.1.0', () => {
  const episodes = ['episodes/a/trial-1', 'episodes/../../../x', '/tmp/x', 'episodes/../x'].map((name) => ({
    folder: name,
    failed: 'no browser',
  }));
  const old = { format: 'waymark.run.v1', runId: 'r', startedAt: '2026-11-01T00:00:00.000Z', episodes };
  writeFileSync(path.join(root, 'run.json'), JSON.stringify(old));
  expect([...(readRunFile(root).notBegun ?? []).keys()]).toEqual(['episodes/a/trial-1']);
});
