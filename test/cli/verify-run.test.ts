/** `waymark verify` of a run that was recorded in a real browser: as it is, and changed in many ways. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, type Line, tamper, temporaryFolder, waymark } from './command-line.ts';
import { journal, recordRun } from './record-run.ts';
import { changedFiles, filesOf } from './tampering/changed-files.ts';
import { expectNamed } from './tampering/expect-named.ts';
import { WAYS } from './tampering/ways.ts';

let recorded: Folder;
beforeAll(async () => {
  recorded = temporaryFolder();
  await recordRun(recorded.path);
});
afterAll(() => recorded?.[Symbol.dispose]());

describe('waymark verify', () => {
  test('an unchanged run is as recorded', async () => {
    const { code, out } = await waymark(['verify', recorded.path]);
    expect(code).toBe(0);
    expect(out).toContain('same     send-form  10 verdicts, 8 scores\n');
    expect(out).toContain('Everything is as recorded: 2 of 2 episodes, evaluated again.\n');
  });

  test('an unchanged run stays as it is, to the byte, and every file that is there is compared', async () => {
    using run = temporaryFolder(recorded.path);
    const before = filesOf(run.path);
    const { code, out } = await waymark(['verify', run.path, '--json']);
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      ok: true,
      evaluated: 2,
      plan: [],
      report: [],
      notes: [],
    });
    expect(filesOf(run.path)).toEqual(before);
  });

  test.each(WAYS)('finds a change: %s', async (_name, change, isFoundInRebuilt) => {
    using run = temporaryFolder(recorded.path);
    const before = filesOf(run.path);
    change(run.path);
    const { code, out } = await waymark(['verify', run.path, '--json']);
    expect(code).toBe(1);
    expectNamed(out, changedFiles(before, filesOf(run.path)));
    // By a person who knows the program; what is damaged can't be reported.
    if (isFoundInRebuilt && (await waymark(['report', run.path])).code === 0)
      expect(await waymark(['verify', run.path])).toMatchObject({ code: 1 });
  });

  test('says what it can not prove', async () => {
    const { out } = await waymark(['verify', recorded.path]);
    expect(out).toContain('hashes: 2 of 2 journals chained, ');
    expect(out).toContain(
      'What this does not prove:\n- The run is not signed: anyone with write access to its folder can change a journal and compute all hashes again. Sign a run to rule that out: waymark sign.\n- No hash shows that the browser, the sites or the harness did not deceive while the run was made.\n',
    );
  });

  test('a change of a journal is named by its line, even where everything after it fits', async () => {
    using run = temporaryFolder(recorded.path);
    const seq = tamper(
      journal(run.path, 'confirm-dialog'),
      ({ type }) => type === 'tool_call',
      (event) => ({ ...event, tool: 'find' }),
    );
    await waymark(['report', run.path]);
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toMatch(
      new RegExp(`episodes/confirm-dialog/trial-1/events.jsonl, chain\\n +recorded: line ${seq + 1}: [0-9a-f]{64}\\n`),
    );
  });

  const stepEval = (event: Line): boolean => event.type === 'contract_eval' && event['phase'] === 'step';
  test.each<[string, (event: Line) => boolean, (event: Line) => unknown, string]>([
    ['a verdict', stepEval, (event) => ({ ...event, verdict: 'pass' }), 'verdict'],
    [
      'a fact',
      (event) => event.type === 'evidence' && 'facts' in event,
      (event) => ({ ...event, facts: { ...Object(event['facts']), url: 'http://fixtures.waymark.test/form/done' } }),
      'evidence',
    ],
    ['a score', (event) => event.type === 'reward', (event) => ({ ...event, score: 0.9 }), 'reward'],
    [
      'what an error was',
      (event) => event.type === 'tool_result' && event['isError'] === true,
      (event) => ({ ...event, isError: false }),
      'reward',
    ],
    ['a state', (event) => event.type === 'evidence', (event) => ({ ...event, state: 'f'.repeat(32) }), 'state'],
    [
      'the contract',
      (event) => event.type === 'start',
      (event) => ({ ...event, task: { ...Object(event['task']), success: { kind: 'no_dialog' } } }),
      'contract_hash',
    ],
    [
      'the task',
      (event) => event.type === 'start',
      (event) => ({ ...event, task: { ...Object(event['task']), maxSteps: 99 } }),
      'task_hash',
    ],
  ])('%s that was changed is found, with its event', async (_name, fits, change, what) => {
    using run = temporaryFolder(recorded.path);
    const seq = tamper(journal(run.path), fits, change);
    const { code, out } = await waymark(['verify', run.path, '--json']);
    expect(code).toBe(1);
    const { ok, episodes } = JSON.parse(out) as {
      ok: boolean;
      episodes: { taskId: string; differences: { what: string; seq: number }[] }[];
    };
    expect(ok).toBe(false);
    const [first, second] = episodes;
    expect(second?.differences).toEqual([]);
    expect(first?.differences.map((difference) => difference.what)).toContain(what);
    // A changed event is found where it first has a consequence.
    expect(first?.differences[0]?.seq).toBeGreaterThanOrEqual(seq);
  });

  test.each<[string, (lines: Line[]) => Line[], RegExp]>([
    [
      'taken out',
      (lines) =>
        lines.toSpliced(
          lines.findIndex(({ type }) => type === 'reward'),
          1,
        ),
      /event \d+, reward\n {11}recorded: nothing\n {11}again: {4}\{"score":/,
    ],
    [
      'put in',
      (lines) => {
        const at = lines.findLastIndex(({ type }) => type === 'reward');
        return lines.toSpliced(at, 0, lines[at] as Line);
      },
      /event \d+, reward\n {11}recorded: \{"score":.*\n {11}again: {4}nothing\n/,
    ],
  ])('a score that was %s is found, although the numbering is complete', async (_name, change, found) => {
    using run = temporaryFolder(recorded.path);
    const lines = readFileSync(journal(run.path), 'utf8').trimEnd().split('\n');
    const changed = change(lines.map((line) => JSON.parse(line) as Line)).map((event, seq) => ({ ...event, seq }));
    writeFileSync(journal(run.path), changed.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await waymark(['report', run.path]);
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toMatch(found);
  });

  test('a number that is missing is found', async () => {
    using run = temporaryFolder(recorded.path);
    const lines = readFileSync(journal(run.path), 'utf8').split('\n');
    writeFileSync(journal(run.path), lines.toSpliced(6, 1).join('\n'));
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toContain('is damaged at line 7');
    expect(out).toContain('expected event 6, found event 7.');
  });

  test('a failure that was made a success is found', async () => {
    using run = temporaryFolder(recorded.path);
    const file = journal(run.path, 'confirm-dialog');
    const seq = tamper(
      file,
      ({ type }) => type === 'stop',
      (event) => ({ ...event, status: 'passed' }),
    );
    // The report is rebuilt from the changed journals as well, as a forger would do.
    await waymark(['report', run.path]);
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toContain(
      `event ${seq}, status\n           recorded: passed\n           again:    the last verdicts are inconclusive (step) and inconclusive\n`,
    );
  });

  test('a missing or damaged journal is a difference, and the others are still evaluated', async () => {
    using run = temporaryFolder(recorded.path);
    rmSync(journal(run.path, 'confirm-dialog'));
    const gone = await waymark(['verify', run.path]);
    expect(gone.code).toBe(1);
    expect(gone.out).toContain('same     send-form');
    expect(gone.out).toContain('journal\n           recorded: in run.json\n           again:    not there\n');
    writeFileSync(journal(run.path, 'confirm-dialog'), 'nonsense\n');
    const damaged = await waymark(['verify', run.path]);
    expect(damaged.code).toBe(1);
    expect(damaged.out).toContain('damaged at line 1');
  });

  test('a report that was edited is found, with the line', async () => {
    using run = temporaryFolder(recorded.path);
    const file = path.join(run.path, 'report.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"passed": 1,', '"passed": 2,'));
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toMatch(/report\.json, report\n {11}recorded: line \d+: "passed": 2,\n {11}again: {4}"passed": 1,/);
  });
});
