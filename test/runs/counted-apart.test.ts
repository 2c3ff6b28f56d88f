/** Tasks that do not count like the others: quarantined ones, ones that a server does not support, ones that never pass. One run in a real browser. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder, waymark } from '../cli/command-line.ts';
import { tasks } from '../episode/command.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const at = (...names: string[]): string => path.join(folder.path, ...names);
const textOf = (...names: string[]): string => readFileSync(at(...names), 'utf8');

function put(name: string, content: unknown): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), JSON.stringify(content));
}

/** Its oracle presses the button, or does not. */
function task(id: string, arrives: boolean, changes: object = {}): void {
  put(`suite/${id}.task.json`, {
    ...{ id, title: 'Guard the page', startUrl: 'http://fixtures.waymark.test/dialogs', goal: 'Guard the page.' },
    success: { kind: 'dom_text', selector: '#result', contains: 'The page is guarded.' },
    ...{ oracle: `oracles/${id}.json`, ...changes },
  });
  const action = arrives ? { action: 'click', target: { selector: '#guard' } } : { action: 'read' };
  put(`suite/oracles/${id}.json`, { format: 'waymark.transcript.v1', task: id, moves: [{ action }] });
}

let ran: Awaited<ReturnType<typeof waymark>>;
beforeAll(async () => {
  task('arrives', true);
  task('flaky', true, { quarantine: { reason: 'It depends on the time of day.', until: '2199-12-31' } });
  task('overdue', false, { quarantine: { reason: 'The site has changed.', until: '2020-01-31' } });
  task('never', false);
  task('pen', true, { unsupported: { embedded: 'It needs a pen.' } });
  const fixture = pathToFileURL(path.join(tasks, 'fixture.ts')).href;
  writeFileSync(at('suite/fixture.mjs'), `export { default } from ${JSON.stringify(fixture)};\n`);
  const flags = ['--trials', '2', '--concurrency', '2', '--no-screenshots', '--out', 'run'];
  ran = await waymark(['run', at('suite'), ...flags, '--reporter', 'json,html=out/page.html'], folder.path);
}, 120_000);

test('quarantined tasks are run and counted apart, and one whose date has passed is warned of', () => {
  const quarantined = [
    { taskId: 'flaky', reason: 'It depends on the time of day.', until: '2199-12-31', finished: 2, passed: 2 },
    { taskId: 'overdue', reason: 'The site has changed.', until: '2020-01-31', finished: 2, passed: 0 },
  ];
  const { summary } = JSON.parse(textOf('run', 'report.json'));
  expect(summary).toMatchObject({ planned: 6, passed: 2, strict: { passed: 2, of: 6 }, quarantined });
  expect(ran.err).toContain('2 quarantined, counted apart: flaky, overdue\n');
  expect(textOf('run', 'report.md')).toContain(
    [
      '## Quarantined\n\nThey were run, and count in none of the numbers above.\n',
      '- flaky, until 2199-12-31: It depends on the time of day. 2 of 2 passed.',
      '- overdue, until 2020-01-31: The site has changed. 0 of 2 passed.\n',
    ].join('\n'),
  );
  expect(textOf('run', 'report.md')).toContain('quarantine: it was to end on 2020-01-31 (The site has changed.)');
  expect(textOf('run', 'report.md')).not.toContain('it was to end on 2199-12-31');
  // The page writes its sentences in the browser; here its data are looked at. Not by `toContain`, which prints the whole page.
  const shown = ['It depends on the time of day.', 'The site has changed.'];
  expect(shown.filter((reason) => textOf('run', 'report.html').includes(reason))).toEqual(shown);
});

test('a task that the server does not support is not begun, by its own words', () => {
  const reason = 'The task says that embedded does not support it: It needs a pen.';
  expect(ran.code, ran.err).toBe(3);
  expect(ran.err.split('\n').filter((line) => line === `pen could not be begun: ${reason}`)).toHaveLength(2);
  for (const trial of ['trial-1', 'trial-2']) {
    expect(JSON.parse(textOf('run/episodes/pen', trial, 'not-begun.json'))).toMatchObject({
      ...{ reason, outcome: 'server_error' },
    });
    expect(existsSync(at('run/episodes/pen', trial, 'events.jsonl'))).toBe(false);
  }
  const { summary } = JSON.parse(textOf('run', 'report.json'));
  expect(summary).toMatchObject({ notBegun: 2, outcomes: { passed: 2, failed: 2, server_error: 2 } });
  expect(summary.validOnly).toMatchObject({ passed: 2, of: 4 });
});

test('the reporter json has the standard output for itself, and html is the page of the run', () => {
  const { folder: root, ...report } = JSON.parse(ran.out);
  expect(root).toBe(at('run'));
  expect(report).toEqual(JSON.parse(textOf('run', 'report.json')));
  expect(ran.err).toContain('2 of 6 passed\n');
  expect(textOf('out/page.html')).toBe(textOf('run', 'report.html'));
});

test('the reporters json and html write the same again from a finished run', async () => {
  const again = await waymark(['report', 'run', '--reporter', 'json=again/run.json,html=again/page.html'], folder.path);
  expect(again).toMatchObject({ code: 0, err: '', out: expect.stringContaining('2 of 6 passed\n') });
  expect(textOf('again/run.json')).toBe(ran.out);
  expect(textOf('again/page.html')).toBe(textOf('out/page.html'));
});

test('tasks that no attempt has passed are listed by the report, and by the check of the tasks', async () => {
  const { summary } = JSON.parse(textOf('run', 'report.json'));
  expect(summary.neverPassed).toEqual(['never']);
  expect(textOf('run', 'report.md')).toMatch(/## Never passed\n\n[^\n]*\n\n- never\n\n/);
  const flags = ['--task', 'never,arrives', '--quick', '--concurrency', '2', '--runs', 'run', '--json'];
  const { code, out } = await waymark(['check', at('suite'), ...flags], folder.path);
  expect(code).toBe(1);
  const found = JSON.parse(out).tasks.map(({ taskId, findings }: { taskId: string; findings: { rule: string }[] }) => [
    ...[taskId, findings.map(({ rule }) => rule)],
  ]);
  expect(found).toEqual([
    ['arrives', []],
    ['never', ['oracle_fails', 'never_passed']],
  ]);
  const { message } = JSON.parse(out).tasks[1].findings[1];
  expect(message).toMatch(/^None of the 2 attempts of the given runs has passed \(agents: scripted\): /);
  const missing = await waymark(['check', at('suite'), '--quick', '--runs', 'suite'], folder.path);
  expect(missing).toMatchObject({
    code: 2,
    err: expect.stringContaining('suite is not the folder of a run of tasks.'),
  });
}, 60_000);
