/** `waymark check`: a self-test of tasks, in a browser, with scripted agents. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadTasks } from '../cases/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { CheckedTask, CheckFinding, CheckProgress, CheckRecord } from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { interruptible } from './interruptible.ts';
import { lintTask } from './lint/lint-tasks.ts';
import { runChoices } from './run-choices.ts';
import { runFlags } from './run-flags.ts';
import { taskPlaces } from './task-places.ts';
import type { Terminal } from './terminal.ts';

const { task, tag, category, seeds, server, concurrency, browser, 'image-model': imageModel } = runFlags;

const flags = {
  task,
  tag,
  category,
  seeds,
  server,
  concurrency,
  browser,
  'image-model': imageModel,
  quick: { type: 'boolean', about: 'make no near misses: only the oracles, doing nothing, and what the suite brings' },
  runs: {
    type: 'string',
    isList: true,
    value: '<folder,…>',
    about: 'also name tasks that no attempt of these runs has ever passed',
  },
  out: {
    type: 'string',
    value: '<folder>',
    about: 'keep the two runs of the check in this folder, with screenshots and journals; default: they are removed',
  },
  json: { type: 'boolean', about: 'print one JSON object and nothing else' },
} as const;

export const checkCommand = defineCommand({
  name: 'check',
  about: [
    'tests tasks in a browser before agents are measured by them.',
    'The oracle must pass, and so must every transcript in solutions/ beside the tasks. An agent that does nothing must fail, the start page must not pass, and near misses must fail: those in near-misses/, and those that are made from the oracle (a step left out, a wrong value typed, a step that changes something done twice, a wrong answer). The findings of waymark lint are listed too.',
    'A task that fails is remembered in .waymark/failed-checks until it passes the whole check: waymark compare then says that what rests on it is no headline.',
    'Exit code: 0 every task is sound (there may be warnings), 1 a task is not, 2 wrong usage or bad files, 3 the harness failed or the check was stopped.',
  ].join('\n'),
  operands: { label: '<tasks…>', about: 'task files (.json, .jsonl, .ts) or folders of them' },
  flags,
  examples: [
    { line: 'waymark check tasks/ --concurrency 4', does: 'test all tasks of a folder, four attempts at a time' },
    { line: 'waymark check tasks/ --task checkout --out checked', does: 'one task, and keep what was done' },
    { line: 'waymark check tasks/ --quick --json', does: 'the oracles only, for a script' },
  ],
  async run(given, terminal, operands) {
    using interruption = interruptible((line) => given.json || terminal.err(`${line}\n`));
    const { signal } = interruption;
    const places = taskPlaces(operands, terminal, 'check');
    const { quick, out, json, runs, ...rest } = given;
    const choices = await runChoices({ ...rest, 'allow-guarded': true }, places, terminal);
    using folder = checkFolder(out, terminal.cwd);
    const say = json ? () => {} : (line: string) => terminal.err(`${line}\n`);
    // Its graders and agents are loaded only now: help and bad operands need none of them.
    const { checkTasks, failedChecksFolder, keepFailedChecks, neverPassed } = await import('../runs/local.ts');
    const never = neverPassed(runs?.split(',').map((run) => path.resolve(terminal.cwd, run)) ?? []);
    const checked = await checkTasks({
      choices: { ...choices, screenshots: out !== undefined },
      root: folder.path,
      quick,
      signal,
      env: terminal.env,
      onNote: say,
      onProgress: (progress) => say(progressLine(progress)),
    });
    const tasks = await withLints(
      checked.map((one) => ({ ...one, findings: [...one.findings, ...[never.get(one.taskId) ?? []].flat()] })),
      choices.tasks.filter((place) => typeof place === 'string'),
    );
    const ok = tasks.every((one) => one.ok);
    if (!signal.aborted) keepFailedChecks(failedChecksFolder(terminal.cwd), tasks.map(recordOf), quick !== true);
    if (json) terminal.out(`${JSON.stringify({ ok, stopped: signal.aborted, tasks }, null, 2)}\n`);
    else terminal.out(textOf(tasks, terminal));
    if (signal.aborted) return EXIT.harness;
    return ok ? EXIT.ok : EXIT.checkFailed;
  },
});

interface Reported extends Omit<CheckedTask, 'findings'> {
  ok: boolean;
  findings: (Omit<CheckFinding, 'rule'> & { rule: string; path?: string })[];
}

function recordOf({ taskId, hash, findings }: Reported): CheckRecord {
  return { taskId, hash, rules: findings.flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : [])) };
}

async function withLints(checked: readonly CheckedTask[], places: readonly string[]): Promise<Reported[]> {
  const loaded = new Map((await loadTasks(places)).map((one) => [one.task.id, one]));
  return checked.map(({ findings, ...about }) => {
    const task = loaded.get(about.taskId);
    const linted = (task ? lintTask(task) : [])
      // The check says it itself, as an error.
      .filter(({ rule }) => rule !== 'no_oracle')
      .map(({ rule, severity, path: at, message }) => ({ rule, severity, message, path: at }));
    const all = [...findings, ...linted];
    return { ...about, ok: !all.some(({ severity }) => severity === 'error'), findings: all };
  });
}

/** A folder that is kept must not be one that holds something else. */
function checkFolder(out: string | undefined, cwd: string): { path: string } & Disposable {
  if (out === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'waymark-check-'));
    return { path: made, [Symbol.dispose]: () => rmSync(made, { recursive: true, force: true, maxRetries: 5 }) };
  }
  const kept = path.resolve(cwd, out);
  if (existsSync(kept))
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: `${out} already exists. Nothing was run.`,
      hint: 'Give a new folder.',
    });
  return { path: kept, [Symbol.dispose]: () => {} };
}

function progressLine({ done, total, taskId, about, status }: CheckProgress): string {
  return `${String(done).padStart(String(total).length)}/${total}  ${taskId}  ${about}: ${status}`;
}

function textOf(tasks: readonly Reported[], { paint }: Terminal): string {
  const lines = tasks.flatMap(({ taskId, ok, attempts, findings }) => [
    `${ok ? paint('green', 'ok    ') : paint('red', 'failed')}  ${taskId}  ${paint('dim', `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`)}`,
    ...findings.map(({ severity, rule, path: at, message }) => {
      const word = severity === 'error' ? paint('red', 'error  ') : paint('yellow', 'warning');
      return `        ${word}  ${at === undefined ? '' : `${at}  `}${message} ${paint('dim', `(${rule})`)}`;
    }),
  ]);
  const failed = tasks.filter(({ ok }) => !ok).length;
  const sum =
    failed === 0
      ? `${tasks.length} of ${tasks.length} tasks are sound`
      : `${failed} of ${tasks.length} tasks failed the check`;
  return `${[...lines, countsOf(tasks), paint('bold', failed === 0 ? paint('green', sum) : paint('red', sum))].join('\n')}\n`;
}

/** `12 attempts: 1 oracle, 1 other solution, 9 near misses, 1 with nothing done`. */
function countsOf(tasks: readonly Reported[]): string {
  const total = (field: 'attempts' | 'solutions' | 'nearMisses'): number =>
    tasks.reduce((sum, task) => sum + task[field], 0);
  const number = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
  const tried = tasks.filter(({ attempts }) => attempts > 0).length;
  const parts = [
    number(tried, 'oracle', 'oracles'),
    number(total('solutions'), 'other solution', 'other solutions'),
    number(total('nearMisses'), 'near miss', 'near misses'),
    `${tried} with nothing done`,
  ];
  return `${number(total('attempts'), 'attempt', 'attempts')}: ${parts.join(', ')}`;
}
