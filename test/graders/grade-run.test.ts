/** `waymark grade` on a recorded run: a module, a kind by its name, a spec in a file; what is appended and what stays. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, temporaryFolder, waymark } from '../cli/command-line.ts';
import { recordRun } from '../cli/record-run.ts';

let recorded: Folder;
beforeAll(async () => {
  recorded = temporaryFolder();
  await recordRun(recorded.path);
});
afterAll(() => recorded?.[Symbol.dispose]());

const gradesFile = (run: string, task = 'send-form'): string =>
  path.join(run, 'episodes', task, 'trial-1', 'grades.jsonl');
const gradesOf = (run: string, task?: string) =>
  readFileSync(gradesFile(run, task), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const report = (run: string) => readFileSync(path.join(run, 'report.json'), 'utf8');

describe('waymark grade', () => {
  test('judges the contract again from the journal, and appends nothing the second time', async () => {
    using run = temporaryFolder(recorded.path);
    const first = await waymark(['grade', run.path, '--grader', 'contract']);
    expect(first.code, first.err).toBe(0);
    expect(first.out).toContain('contract: 1 of 2 passed');
    expect(gradesOf(run.path)).toMatchObject([
      { grader: 'contract', round: 1, verdict: 'pass', score: 1, version: '1' },
    ]);
    expect(gradesOf(run.path, 'confirm-dialog')).toMatchObject([{ grader: 'contract', verdict: 'fail', score: 0 }]);
    const before = [gradesFile(run.path), path.join(run.path, 'report.json'), path.join(run.path, 'report.md')].map(
      (file) => readFileSync(file, 'utf8'),
    );
    const second = await waymark(['grade', run.path, '--grader', 'contract']);
    expect(second.out).toContain('2 as before');
    expect(gradesOf(run.path)).toHaveLength(1);
    const after = [gradesFile(run.path), path.join(run.path, 'report.json'), path.join(run.path, 'report.md')].map(
      (file) => readFileSync(file, 'utf8'),
    );
    expect(after).toEqual(before);
    expect((await waymark(['verify', run.path])).code).toBe(0);
  });

  test('says which graders there are when one is unknown, and grades nothing', async () => {
    using run = temporaryFolder(recorded.path);
    const before = report(run.path);
    const { code, err } = await waymark(['grade', run.path, '--grader', 'contract,vibes']);
    expect(code).toBe(2);
    expect(err).toMatch(/There is no grader "vibes"\.[\s\S]*contract, answer, trajectory/);
    expect(report(run.path)).toBe(before);
    const settings = await waymark(['grade', run.path, '--grader', 'network']);
    expect(settings).toMatchObject({ code: 2 });
    expect(settings.err).toContain('"network" needs settings');
  });

  test('skips a judge without a model, with that reason', async () => {
    using run = temporaryFolder(recorded.path);
    const { code, out } = await waymark(['grade', run.path, '--grader', 'webvoyager']);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('2 skipped') });
    expect(gradesOf(run.path)).toMatchObject([
      { verdict: 'skipped', score: null, reasoning: expect.stringContaining('--judge-model') },
    ]);
  });

  test('a grader that crashes gives an error, changes no rate, and the others go on', async () => {
    using run = temporaryFolder(recorded.path);
    writeFileSync(
      path.join(run.path, 'crashes.mjs'),
      `export default { name: 'crashes', version: '1', grade() { throw new Error('no such file: labels.csv'); } };\n`,
    );
    const passed = JSON.parse(report(run.path)).summary.passed;
    const { code, out } = await waymark(['grade', run.path, '--grader', `${run.path}/crashes.mjs,contract`]);
    expect(code).toBe(1);
    expect(out).toContain('crashes: 0 of 0 passed; 2 could not be graded');
    expect(out).toContain('contract: 1 of 2 passed');
    expect(gradesOf(run.path)[0]).toMatchObject({
      grader: 'crashes',
      verdict: 'error',
      score: null,
      reasoning: expect.stringContaining('no such file: labels.csv'),
    });
    expect(JSON.parse(report(run.path)).summary.passed).toBe(passed);
  });

  test('--only grades some attempts, and --json prints counts alone', async () => {
    using run = temporaryFolder(recorded.path);
    const failed = await waymark(['grade', run.path, '--grader', 'contract', '--only', 'failed', '--json']);
    expect(JSON.parse(failed.out)).toMatchObject({ graders: [{ grader: 'contract', pass: 0, fail: 1 }] });
    const rest = await waymark(['grade', run.path, '--grader', 'contract', '--only', 'ungraded', '--json']);
    expect(JSON.parse(rest.out)).toMatchObject({ graders: [{ grader: 'contract', pass: 1, fail: 0 }] });
    expect(await waymark(['grade', run.path, '--only', 'some'])).toMatchObject({ code: 2 });
  });
});
