/** What `waymark run` promises, as commands. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventOf, JournalEvent } from '../../src/events/index.ts';
import { unchained } from '../../src/journal/index.ts';
import { runProcess } from '../repository/run-process.ts';
import {
  CommandSandbox,
  eventsSaid,
  failingTasks,
  NOTHING_LEFT,
  type Ran,
  readReport,
  taskFile,
  tasks,
} from './command.ts';

const VERBOSE = { OPENCHROME_BENCH_VERBOSE: '1' };
const sandbox = new CommandSandbox();
afterAll(() => sandbox[Symbol.dispose]());

/** A network of its own with nothing but loopback; plain where this system does not allow it. */
const OFFLINE = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];
const canUnplug = spawnSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up']).status === 0;

/** What varies from run to run stands in these four keys and nowhere else. */
function withoutTimes(out: string): unknown {
  const { runId, startedAt, endedAt, durationMs, ...rest } = readReport(out);
  expect([runId, startedAt, endedAt].every((value) => value.length > 0) && durationMs > 0).toBe(true);
  return rest;
}

const ofType = <T extends JournalEvent['type']>(events: readonly JournalEvent[], type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

describe('all fixture tasks by the mock agent', () => {
  let once: Ran;
  beforeAll(async () => {
    once = await sandbox.run([tasks, '--agent', 'mock']);
  }, 110_000);

  test('every one passes, and the exit code is 0', () => {
    const { episodes, summary } = readReport(once.out);
    expect(episodes.filter(({ success }) => !success).map(({ taskId, reason }) => `${taskId}: ${reason}`)).toEqual([]);
    expect(episodes.map(({ taskId }) => taskId)).toEqual(
      expect.arrayContaining(['example-h1', 'local-form-submit', 'local-recovery-stall']),
    );
    expect(summary).toMatchObject({ passed: episodes.length, episodes: episodes.length });
    expect(once.code).toBe(0);
    expect(once.stdout).toBe(
      // The contract of example-h1 holds at the start, which is warned of.
      `${episodes.length} of ${episodes.length} passed\n1 warning, listed in the report\nreport: ${path.join(once.out, 'report.html')}\n`,
    );
  });

  test('a second run, four tasks at a time, gives the same report but for its name and times', async () => {
    const again = await sandbox.run([tasks, '--agent', 'mock', '--concurrency', '4', '--join-journals']);
    expect(again.code).toBe(0);
    expect(withoutTimes(again.out)).toEqual(withoutTimes(once.out));
    const { runId, episodes } = readReport(again.out);
    const [events, same] = ['events.jsonl', `events/${runId}.jsonl`].map((file) =>
      readFileSync(path.join(again.out, file), 'utf8'),
    );
    expect(events).toBe(same);
    const journals = episodes.map(({ taskId }) =>
      readFileSync(path.join(again.out, 'episodes', taskId, 'trial-1', 'events.jsonl'), 'utf8'),
    );
    expect(events).toBe(journals.join(''));
  });

  test('the folder holds the reports and the journals, each journal once', () => {
    const { runId } = readReport(once.out);
    const [report, named] = ['report.md', `reports/${runId}.md`].map((file) =>
      readFileSync(path.join(once.out, file), 'utf8'),
    );
    expect(report).toBe(named);
    expect(readdirSync(once.out).sort()).toEqual(
      ['episodes', 'manifest.json', 'report.html', 'report.json', 'report.md', 'reports', 'run.json'].sort(),
    );
  });
});

test('example-h1, verbose and without internet: navigate, a look, and the last judgement', async () => {
  const ran = await sandbox.run([tasks, '--agent', 'mock', '--task', 'example-h1'], {
    env: VERBOSE,
    ...(canUnplug ? { under: OFFLINE } : {}),
  });
  const events = eventsSaid(ran.err);
  const [navigate, ...others] = ofType(events, 'tool_call');
  expect(navigate).toMatchObject({ tool: 'navigate', by: 'harness', arguments: { url: 'https://example.com/' } });
  expect(others.some(({ tool }) => tool === 'read_page' || tool === 'tabs_context')).toBe(true);
  expect(ofType(events, 'contract_eval').at(-1)).toMatchObject({ phase: 'final', verdict: 'pass' });
  expect(ofType(events, 'stop')).toMatchObject([{ status: 'passed' }]);
  // What is said is what was written.
  const written = readFileSync(path.join(ran.out, 'episodes/example-h1/trial-1/events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(events).toEqual(written.map((line) => JSON.parse(unchained(line))));
  expect(ran.code).toBe(0);
});

test('local-recovery-stall with two steps: max_steps, two steps, the last call named, an end by itself', async () => {
  const ran = await sandbox.run([tasks, '--agent', 'mock', '--task', 'local-recovery-stall', '--max-steps', '2']);
  expect(readReport(ran.out).episodes).toMatchObject([
    {
      taskId: 'local-recovery-stall',
      status: 'max_steps',
      success: false,
      steps: 2,
      lastToolCall: { tool: 'read_page', arguments: {} },
    },
  ]);
  const text = readFileSync(path.join(ran.out, 'report.md'), 'utf8');
  expect(text).toContain('### local-recovery-stall: max_steps');
  expect(text).toContain('Last call: `read_page` `{}`');
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain('0 of 1 passed');
});

test('a text that is not there: failed, by which assertion, and what was observed instead', async () => {
  const ran = await sandbox.run([path.join(failingTasks, 'fail-wrong-text.task.json')]);
  expect(readReport(ran.out).episodes).toMatchObject([
    {
      status: 'failed',
      failedContract: {
        assertion_kind: 'dom_text',
        verdict: 'fail',
        details: { selector: 'h1', contains: 'NotPresent', text_preview: 'Example Domain' },
      },
    },
  ]);
  const text = readFileSync(path.join(ran.out, 'report.md'), 'utf8');
  expect(text).toContain('NotPresent');
  expect(text).toContain('Example Domain');
  expect(ran.code).toBe(1);
});

describe('no model', () => {
  /** Writes down every package that is asked for, and refuses those that call a model. */
  const hook = path.join(sandbox.folder, 'no-models.mjs');
  const said = path.join(sandbox.folder, 'packages.txt');
  beforeAll(() => {
    writeFileSync(
      hook,
      `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
const MODELS = /^(ai|openai|ollama|langchain|@ai-sdk|@anthropic-ai|@langchain|@google|@mistralai|@huggingface|@xenova)(\\/|$)/;
registerHooks({
  resolve(specifier, context, next) {
    const isModel = MODELS.test(specifier);
    // Written down first: whoever asks may catch the error.
    if (isModel) appendFileSync(${JSON.stringify(said)}, 'MODEL ' + specifier + '\\n');
    if (isModel) throw new Error('a model library was asked for: ' + specifier);
    if (/^[a-z@]/.test(specifier) && !specifier.includes(':')) appendFileSync(${JSON.stringify(said)}, specifier + '\\n');
    return next(specifier, context);
  },
});
`,
    );
  });

  test('the hook refuses them', async () => {
    const names = ['ai', '@ai-sdk/openai', 'openai/client'];
    const script = `await Promise.all(${JSON.stringify(names)}.map((name) => import(name).catch(({ message }) => console.log(message))))`;
    const { out } = await runProcess(process.execPath, ['--import', hook, '--input-type=module', '-e', script], {
      cwd: sandbox.folder,
    });
    expect(out.trimEnd().split('\n')).toEqual(names.map((name) => `a model library was asked for: ${name}`));
    expect(readFileSync(said, 'utf8')).toBe(names.map((name) => `MODEL ${name}\n`).join(''));
  });

  test('a mock run asks for none', async () => {
    rmSync(said, { force: true });
    const ran = await sandbox.run([taskFile('local-recovery-stall'), '--agent', 'mock'], { node: ['--import', hook] });
    expect(ran.code).toBe(0);
    const asked = readFileSync(said, 'utf8').split('\n');
    // The hook was there: it saw what is really used.
    expect(asked).toEqual(expect.arrayContaining(['zod', 'ws']));
    expect(asked.filter((name) => name.startsWith('MODEL'))).toEqual([]);
  });
});

describe('wrong usage: exit code 2, and nothing was run', () => {
  test.each<[string, () => string[], RegExp]>([
    [
      'a task that is none',
      () => {
        const file = path.join(sandbox.folder, 'bad.task.json');
        writeFileSync(file, JSON.stringify({ id: 'bad', maxSteps: 0 }));
        return [file];
      },
      /5 problems in the tasks; nothing was run\.\n.*bad\.task\.json: \$\.title: "title" is missing/,
    ],
    ['a file that is not there', () => ['nowhere.json'], /^waymark: 1 problem in the tasks; nothing was run\.\n/],
    [
      'an unknown flag',
      () => [tasks, '--maxsteps', '2'],
      /^waymark: waymark run has no flag --maxsteps\. Did you mean --max-steps\?/,
    ],
    [
      'more steps than there may be',
      () => [tasks, '--max-steps', '101'],
      /^waymark: --max-steps takes a whole number from 1 to 100, but got "101"\.\n/,
    ],
    [
      'more time than there may be',
      () => [tasks, '--max-duration-ms', '600001'],
      /^waymark: --max-duration-ms takes a whole number from 1 to 600,000, but got "600001"\.\n/,
    ],
    [
      'an unknown task',
      () => [tasks, '--task', 'nobody'],
      /^waymark: There is no task "nobody"\.\nThere are: coordinates-mark, /,
    ],
  ])('%s', async (_, args, said) => {
    // A sandbox of its own: where no browser was started, there is not even a state folder.
    using fresh = new CommandSandbox();
    const ran = await fresh.run(args());
    expect(ran.err).toMatch(said);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect([existsSync(ran.out), existsSync(path.join(fresh.state, 'ledger'))]).toEqual([false, false]);
  });
});

test('a harness that can’t do its work: exit code 3', async () => {
  const ran = await sandbox.run([taskFile('example-h1'), '--browser', path.join(sandbox.folder, 'no-browser')]);
  expect(ran.code).toBe(3);
  expect(ran.err).toMatch(/^waymark: .*no-browser/);
});

test('with --json, standard output is the report and nothing else', async () => {
  const ran = await sandbox.run([taskFile('example-h1'), '--json']);
  expect(ran.err).toBe('');
  expect(JSON.parse(ran.stdout)).toEqual({ ...readReport(ran.out), folder: ran.out });
});

test('nothing is left of any of these runs', () => {
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});
