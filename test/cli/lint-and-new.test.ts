import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, waymark } from './command-line.ts';

describe('waymark new task', () => {
  test('writes a task that has no lint findings, runs unchanged, and passes', async () => {
    using folder = temporaryFolder();
    const made = await waymark(['new', 'task', 'first-task'], folder.path);
    expect(made).toEqual({
      code: 0,
      out: [
        'first-task.task.json',
        'first-task.transcript.json',
        'first-task.recording.json',
        '',
        'Next: waymark lint first-task.task.json',
        '      waymark run first-task.task.json',
        '',
      ].join('\n'),
      err: '',
    });
    const task = path.join(folder.path, 'first-task.task.json');
    const linted = await waymark(['lint', task, '--json'], folder.path);
    expect({ ...linted, out: JSON.parse(linted.out) }).toEqual({
      code: 0,
      err: '',
      out: { ok: true, tasks: 1, findings: [] },
    });
    const run = await waymark(['run', task, '--out', 'run', '--json'], folder.path);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({ summary: { passed: 1, episodes: 1 } });
    expect(existsSync(path.join(folder.path, 'run', 'report.html'))).toBe(true);
    expect(await waymark(['verify', 'run'], folder.path)).toMatchObject({ code: 0 });
  });

  test('with a URL, the texts to write are marked, and lint has only warnings', async () => {
    using folder = temporaryFolder();
    const args = ['new', 'task', 'find-docs', '--url', 'https://example.com/docs', '--out', 'tasks', '--json'];
    const { code, out } = await waymark(args, folder.path);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      files: ['find-docs.task.json', 'find-docs.transcript.json'].map((name) => path.join(folder.path, 'tasks', name)),
    });
    const linted = await waymark(['lint', 'tasks', '--json'], folder.path);
    const { ok, tasks, findings } = JSON.parse(linted.out) as {
      ok: boolean;
      tasks: number;
      findings: { rule: string }[];
    };
    expect({ code: linted.code, ok, tasks }).toEqual({ code: 0, ok: true, tasks: 1 });
    expect([...new Set(findings.map(({ rule }) => rule))].sort()).toEqual(['live_host', 'placeholder']);
  });

  test('overwrites nothing, and refuses an invalid id or URL', async () => {
    using folder = temporaryFolder();
    writeFileSync(path.join(folder.path, 'a.transcript.json'), 'mine');
    const there = await waymark(['new', 'task', 'a'], folder.path);
    expect(there).toMatchObject({ code: 2, err: expect.stringContaining('a.transcript.json already exists.') });
    expect(readdirSync(folder.path)).toEqual(['a.transcript.json']);
    expect(readFileSync(path.join(folder.path, 'a.transcript.json'), 'utf8')).toBe('mine');
    for (const args of [['../up'], ['Upper'], ['a', '--url', 'nowhere'], [], ['b', 'c']]) {
      expect((await waymark(['new', 'task', ...args], folder.path)).code, args.join(' ')).toBe(2);
    }
    expect(await waymark(['new', 'suite', 'a'], folder.path)).toMatchObject({ code: 2 });
    expect(readdirSync(folder.path)).toEqual(['a.transcript.json']);
  });
});

describe('waymark lint', () => {
  test('errors give exit code 1, with file, path and message', async () => {
    using folder = temporaryFolder();
    const task = {
      id: 'anything',
      title: 'Anything',
      startUrl: 'http://a.test/',
      goal: 'Do it.',
      success: { kind: 'dom_text', contains: '' },
    };
    const file = path.join(folder.path, 'anything.task.json');
    writeFileSync(file, JSON.stringify(task));
    expect(await waymark(['lint', file], folder.path)).toEqual({
      code: 1,
      err: '',
      out: [
        file,
        '  error    $.success  The contract passes on a page where nothing was done, so every agent would pass this task. (empty_contract)',
        '  warning  $.success  Every text contains the empty text. Name the words, or count elements with dom_count. (vacuous_assertion)',
        '  warning  $.oracle  There is no oracle, so it is not shown that the task can be solved. Name a transcript that succeeds. (no_oracle)',
        '',
        '1 task read: 1 errors, 2 warnings',
        '',
      ].join('\n'),
    });
  });

  test('the fixture tasks have no finding', async () => {
    const tasks = path.resolve(import.meta.dirname, '../../fixtures/tasks');
    const { code, out } = await waymark(['lint', tasks, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, findings: [] });
  });

  test('no tasks is wrong usage; a folder without tasks is an error', async () => {
    using folder = temporaryFolder();
    expect(await waymark(['lint'], folder.path)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give the tasks to check.'),
    });
    expect(await waymark(['lint', 'gone'], folder.path)).toMatchObject({
      code: 2,
      err: expect.stringContaining('gone does not exist.'),
    });
    expect(await waymark(['lint', '.'], folder.path)).toMatchObject({
      code: 1,
      out: expect.stringContaining('No task was found'),
    });
  });
});
