/** A run that was stopped: every report, rescore and verify name the same numbers, over what was planned. */
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, waymark } from '../cli/command-line.ts';

const RUNS = path.join(import.meta.dirname, '../old-data/runs');

test.each([
  ['interrupted', 'stopped by Ctrl-C'],
  ['killed', 'ended by kill -9'],
])('%s (%s): one of three tasks finished, one was interrupted, one is pending, everywhere', async (name) => {
  using root = temporaryFolder();
  cpSync(path.join(RUNS, name), root.path, { recursive: true });
  const text = (file: string): string => readFileSync(path.join(root.path, file), 'utf8');
  const counts = {
    planned: 3,
    finished: 1,
    interrupted: 1,
    notBegun: 0,
    pending: 1,
    unfinished: { interrupted: ['wizard-book-trip'], notBegun: [], pending: ['keys-chord'] },
  };
  const summary = { ...counts, passed: 1, strict: { passed: 1, of: 3 }, validOnly: { passed: 1, of: 1 } };
  const left = '2 of 3 have not finished: 1 interrupted (wizard-book-trip), 1 pending (keys-chord)';

  const reported = await waymark(['report', root.path]);
  expect(reported).toMatchObject({ code: 0, out: expect.stringMatching(`^1 of 3 passed\n${escaped(left)}\n`) });
  const report = JSON.parse(text('report.json'));
  expect(report.summary).toMatchObject(summary);
  // What was interrupted has no outcome.
  expect(report.summary.outcomes).toEqual({ passed: 1 });
  expect(report.episodes).toMatchObject([{ taskId: 'example-h1' }, { taskId: 'wizard-book-trip', interrupted: true }]);
  expect(JSON.parse((await waymark(['report', root.path, '--json'])).out).summary).toMatchObject(summary);
  // The whole report also has what a clock or a crash has a say in.
  const { statistics, ...others } = report.summary;
  const whole = JSON.parse(text(`reports/${report.runId}.json`)).summary;
  expect(whole).toEqual({ ...others, statistics: expect.objectContaining({ ...statistics }) });
  expect(whole.statistics).toMatchObject({ passedFirst: 1, durationMs: { known: expect.any(Number) } });
  expect(text('report.md')).toContain('**1 of 3 passed** (1/3 = 33 %');
  expect(text('report.md')).toContain('Planned 3: 1 finished, 1 interrupted, 0 not begun, 1 pending.');
  expect(text('report.md')).toMatch(/- interrupted: wizard-book-trip\n- pending: keys-chord\n/);
  expect(text('report.md')).toMatch(/\| wizard-book-trip \| interrupted \|/);
  expect(text('report.html')).toContain(left);
  expect(text('report.html')).toContain('<title>1 of 3 passed: Run ');

  const rescored = await waymark(['rescore', root.path]);
  expect(rescored.out).toContain(`1 of 3 episodes scored again, `);
  expect(rescored.out).toContain(left);
  expect(JSON.parse(text('rescored.json')).summary).toMatchObject(summary);

  const verified = await waymark(['verify', root.path]);
  expect(verified.out).toContain(`Everything is as recorded: 2 of 3 episodes, evaluated again.\n${left}\n`);
  expect(JSON.parse((await waymark(['verify', root.path, '--json'])).out)).toMatchObject({ ...counts, evaluated: 2 });
});

function escaped(text: string): string {
  return text.replaceAll(/[()]/g, '\\$&');
}
