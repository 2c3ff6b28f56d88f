/** `waymark check` on a part of the fixture suite, which is sound, and on tasks that are not. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadTasks } from '../../src/cases/index.ts';
import { runInputs } from '../../src/runs/run-inputs.ts';
import { tasks } from '../episode/command.ts';
import { temporaryFolder, waymark } from './command-line.ts';

const MINUTES = 60_000;

interface Printed {
  ok: boolean;
  tasks: {
    taskId: string;
    ok: boolean;
    attempts: number;
    solutions: number;
    nearMisses: number;
    findings: { rule: string; step?: number; attempt?: string }[];
  }[];
}

/** `rule`, or `rule of step 3`. */
function findingsOf(out: string): Record<string, string[]> {
  const { tasks: checked } = JSON.parse(out) as Printed;
  return Object.fromEntries(
    checked.map(({ taskId, findings }) => [
      taskId,
      findings.map(({ rule, step }) => (step === undefined ? rule : `${rule} of step ${step}`)).sort(),
    ]),
  );
}

test(
  'tasks of the fixture suite pass their own check, and a step that is not needed is named',
  async () => {
    const only = 'example-h1,local-form-submit,local-recovery-stall,network-created';
    const { code, out } = await waymark(['check', tasks, '--task', only, '--concurrency', '2', '--json']);
    expect(findingsOf(out)).toEqual({
      'example-h1': ['start_passes_on_purpose'],
      'local-form-submit': [],
      'local-recovery-stall': ['step_not_needed of step 1'],
      'network-created': [],
    });
    expect(code).toBe(0);
  },
  3 * MINUTES,
);

const move = (action: object) => ({ action });
const fill = (field: string, text: string) => move({ action: 'type', target: { selector: field }, text });
const click = (selector: string) => move({ action: 'click', target: { selector } });
const form = [
  fill('#name', 'Ada Lovelace'),
  fill('#email', 'ada@example.com'),
  move({ action: 'select', target: { selector: '#plan' }, options: ['Standard'] }),
  click('#terms'),
  click('#submit'),
];

test(
  'each weakness of a task is told with what shows it, and the check fails',
  async () => {
    using folder = temporaryFolder();
    const put = (name: string, content: unknown): void => {
      mkdirSync(path.dirname(path.join(folder.path, name)), { recursive: true });
      writeFileSync(path.join(folder.path, name), JSON.stringify(content));
    };
    const task = (id: string, success: unknown, changes: object = {}): void =>
      put(`${id}.task.json`, {
        ...{ id, title: 'Sign up', startUrl: 'http://fixtures.waymark.test/form', goal: 'Sign up as Ada.', success },
        ...{ oracle: `oracles/${id}.json`, ...changes },
      });
    const transcript = (name: string, id: string, moves: unknown[]): void =>
      put(name, { format: 'waymark.transcript.v1', task: id, moves });
    const fixture = pathToFileURL(path.join(tasks, 'fixture.ts')).href;
    writeFileSync(path.join(folder.path, 'fixture.mjs'), `export { default } from ${JSON.stringify(fixture)};\n`);
    // Any name and any address will do.
    task('weak', { kind: 'url', pattern: '/form/done' });
    transcript('oracles/weak.json', 'weak', form);
    transcript('solutions/stops-early.json', 'weak', form.slice(0, 2));
    transcript('near-misses/other-name.json', 'weak', form.with(0, fill('#name', 'Charles Babbage')));
    transcript('near-misses/gone.json', 'weak', [{ ...click('#gone'), expect: { isError: false } }]);
    task('held', { kind: 'dom_count', selector: '#submit', op: 'eq', value: 1 });
    transcript('oracles/held.json', 'held', form.slice(0, 1));
    task('bare', { kind: 'url', pattern: '/form/done' }, { oracle: undefined });
    task('broken', { kind: 'url', pattern: '/form/done' });
    transcript('oracles/broken.json', 'broken', form.slice(0, 4));

    const { code, out } = await waymark(
      ['check', folder.path, '--concurrency', '2', '--json', '--out', 'kept'],
      folder.path,
    );
    expect(findingsOf(out)).toEqual({
      bare: ['no_oracle'],
      broken: ['oracle_fails'],
      held: ['start_passes'],
      weak: [
        ...['near_miss_does_not_fit', 'near_miss_passes', 'solution_fails'],
        ...['value_not_checked of step 1', 'value_not_checked of step 2'],
      ],
    });
    expect(code).toBe(1);
    const { tasks: checked } = JSON.parse(out) as Printed;
    // Two that say what they are, the steps left out, the values changed and the step that writes done twice.
    const weak = checked.find(({ taskId }) => taskId === 'weak');
    expect(weak).toMatchObject({ solutions: 1, attempts: 3 + (weak?.nearMisses ?? 0) });
    expect(weak?.nearMisses).toBeGreaterThanOrEqual(2 + form.length + 2);
    const shown = checked.flatMap(({ findings }) => findings.flatMap(({ attempt }) => attempt ?? []));
    expect(shown.length).toBeGreaterThan(5);
    for (const attempt of shown) expect(readdirSync(path.join(folder.path, 'kept', attempt))).toContain('events.jsonl');

    // A comparison by one of them is no headline: the record has the name that the inputs of a run have for the task.
    const kept = readdirSync(path.join(folder.path, '.waymark', 'failed-checks'));
    const inputs = runInputs({
      ...{ tasks: await loadTasks([folder.path]), agent: '', server: '', serverOf: '', settings: {} },
      agentOf: () => '',
    }).of;
    expect(kept.sort()).toEqual(checked.map(({ taskId }) => `${inputs[`the task ${taskId}`]}.json`).sort());

    // Transcripts that belong to no task would never be tried.
    transcript('solutions/other.json', 'waek', form);
    expect(await waymark(['check', folder.path], folder.path)).toMatchObject({
      code: 2,
      err: expect.stringContaining('solutions/other.json is for the task "waek", which is not in its folder.'),
    });
  },
  3 * MINUTES,
);
