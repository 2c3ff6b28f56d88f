/** An interrupted run is resumed: nothing is lost, nothing is run twice, and the report equals that of an uninterrupted run. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { JournalEvent } from '../../src/events/index.ts';
import { metadataSchema } from '../../src/events/index.ts';
import { readJournal } from '../../src/journal/index.ts';
import { findProgram } from '../../src/tools/profiles/find-package.ts';
import { waymark } from '../cli/command-line.ts';
import { CommandSandbox, eventsSaid, failingTasks, type Ran, readReport, readResults, taskFile } from './command.ts';

const sandbox = new CommandSandbox();
// Also the commands that run in this process clean up after killed runs: only after those of this file, and not of others that run meanwhile.
vi.stubEnv('WAYMARK_STATE_DIR', sandbox.state);
afterAll(() => {
  vi.unstubAllEnvs();
  sandbox[Symbol.dispose]();
});

const IDS = ['example-h1', 'local-recovery-stall', 'local-form-submit'];
const THREE = IDS.map(taskFile);
const SECOND = 'episodes/local-recovery-stall/trial-1';

/** Ends a verbose run by a signal, in the middle of its second episode. */
function cutOff(signal: NodeJS.Signals): Promise<{ out: string; said: JournalEvent[]; code: number | null }> {
  const { child, out } = sandbox.start(THREE, { OPENCHROME_BENCH_VERBOSE: '1' });
  const { promise, resolve, reject } = Promise.withResolvers<{
    out: string;
    said: JournalEvent[];
    code: number | null;
  }>();
  let text = '';
  let sent = false;
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const second = text.indexOf('"taskId":"local-recovery-stall"');
    // After its second step: there is something to lose.
    if (sent || second < 0 || !text.slice(second).includes('"type":"reward"')) return;
    sent = true;
    child.kill(signal);
  });
  child.once('error', reject);
  child.once('close', (code) => (sent ? resolve({ out, said: eventsSaid(text), code }) : reject(new Error(text))));
  return promise;
}

async function eventsOf(file: string): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const event of readJournal(file)) if (event.type !== 'unknown') events.push(event);
  return events;
}

/** What stands in a report beside its name and times. */
function lasting(out: string): unknown {
  const { runId: _runId, startedAt: _startedAt, endedAt: _endedAt, durationMs: _durationMs, ...rest } = readReport(out);
  return rest;
}

const journal = (out: string, folder: string): string => path.join(out, folder, 'events.jsonl');

let undisturbed: Ran;
beforeAll(async () => {
  undisturbed = await sandbox.run(THREE);
}, 60_000);

describe('after kill -9', () => {
  let out: string;
  let said: JournalEvent[];
  let first: Buffer;
  beforeAll(async () => {
    ({ out, said } = await cutOff('SIGKILL'));
    first = readFileSync(journal(out, 'episodes/example-h1/trial-1'));
  }, 60_000);

  test.each<[string, string[], string[], string]>([
    ['other tasks', THREE.slice(0, 2), [], 'the task local-form-submit was in it.'],
    ['other caps', THREE, ['--max-steps', '7'], 'maxSteps of example-h1 was CAP, and is 7 now.'],
    ['another server', THREE, ['--server', 'playwright'], 'server was embedded, and is playwright now.'],
    [
      'the same server, configured otherwise',
      THREE,
      ['--server', '{"server":"embedded"}'],
      'the configuration of the server has changed.',
    ],
    ['other rules of ending', THREE, ['--until-done'], 'until-done was false, and is true now.'],
  ])('is refused with %s', async (_, tasks, flags, sentence) => {
    const before = readdirSync(out, { recursive: true });
    const { code, err } = await waymark(['run', ...tasks, ...flags, '--out', out, '--resume']);
    expect({ code, named: err.includes(`\n${sentence.replace('CAP', String(capOf('example-h1')))}\n`) }, err).toEqual({
      code: 2,
      named: true,
    });
    expect(err).toContain(`waymark: Cannot resume ${out}: its inputs differ from this command's. Nothing was run.\n`);
    expect(readdirSync(out, { recursive: true })).toEqual(before);
  });

  test('the same folder for other inputs is refused without --resume too; the run while another process writes it', async () => {
    const other = await waymark(['run', ...THREE, '--max-steps', '7', '--out', out]);
    expect(other.code).toBe(2);
    expect(other.err).toContain(
      `There is a run in ${out} already, and its inputs differ from this command's. Nothing was run.\nmaxSteps of example-h1 was`,
    );
    const lock = path.join(out, 'run.lock');
    const dead = readFileSync(lock, 'utf8');
    writeFileSync(lock, String(process.ppid));
    const busy = await waymark(['run', ...THREE, '--out', out]);
    expect(busy.code).toBe(2);
    expect(busy.err).toContain(`The run ${out} is being written by process ${process.ppid}.`);
    writeFileSync(lock, dead);
  });

  test('goes on by the same command: what has ended is kept to the byte, what was cut off is run anew, each task is reported once', async () => {
    const cut = await eventsOf(journal(out, SECOND));
    const ran = await sandbox.run(THREE, { out });
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toMatch(/^run \S+ is resumed: 1 of 3 have ended\n/);
    expect(readReport(out).episodes.map(({ taskId }) => taskId)).toEqual(IDS);
    expect(readResults(out).map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
    expect(lasting(out)).toEqual(lasting(undisturbed.out));
    // The first ended before the kill and is unchanged.
    expect(readFileSync(journal(out, 'episodes/example-h1/trial-1')).equals(first)).toBe(true);
    // The attempt that was killed still reads, and holds what it had said.
    const kept = await eventsOf(journal(out, SECOND));
    expect(kept).toEqual(cut);
    expect(kept.slice(0, 10)).toEqual(said.slice(-kept.length).slice(0, 10));
    expect(kept.at(-1)?.type).not.toBe('stop');
    // It has its metadata now, which says what became of it.
    const metadata = metadataSchema.parse(JSON.parse(readFileSync(path.join(out, SECOND, 'metadata.json'), 'utf8')));
    expect(metadata).toMatchObject({
      query_id: 'local-recovery-stall',
      termination_reason: 'error',
    });
    expect(metadata.errors.at(-1)).toMatchObject({
      source: 'unknown',
      message: 'The journal ends without a stop: the harness was cut off.',
    });
    expect(readFileSync(path.join(out, 'report.md'), 'utf8')).toContain(`- \`${SECOND}\``);
    expect(readFileSync(path.join(out, 'report.html'), 'utf8')).toContain(`"earlier":["${SECOND}`);
    expect(existsSync(path.join(out, 'run.lock'))).toBe(false);
    expect((await waymark(['verify', out])).code).toBe(0);
  });

  test('once more, given by its folder: nothing is left to run, and no browser is started', async () => {
    const before = readFileSync(path.join(out, 'report.json'));
    const ran = await waymark(['run', ...THREE, '--resume', out, '--browser', 'shell']);
    expect(ran.err).toContain('browser was the best that is found, and is shell now.');
    const same = await waymark(['run', ...THREE, '--resume', out]);
    expect({ code: same.code, err: same.err.replace(/run \S+/, 'run') }).toEqual({
      code: 0,
      err: 'run is resumed: 3 of 3 have ended\n',
    });
    expect(readFileSync(path.join(out, 'report.json')).equals(before)).toBe(true);
    const again = await waymark(['run', ...THREE, '--out', out]);
    expect(again.code).toBe(2);
    expect(again.err).toContain(`There is a finished run in ${out} already. Nothing was run.`);
  });
});

test('after Ctrl-C the same command goes on: the episode that was stopped is run anew, and its first attempt is kept', async () => {
  const { out, code } = await cutOff('SIGINT');
  expect(code).toBe(3);
  expect((await eventsOf(journal(out, SECOND))).at(-1)).toMatchObject({
    type: 'stop',
    status: 'tool_error',
    interrupted: true,
  });
  // What had not had its turn is no difference, and no failure.
  expect((await waymark(['verify', out])).out).toContain('It was never begun: the run was stopped before');
  const ran = await sandbox.run(THREE, { out });
  expect(ran.code, ran.err).toBe(0);
  expect(lasting(out)).toEqual(lasting(undisturbed.out));
  expect(readdirSync(path.join(out, 'episodes/local-recovery-stall')).sort()).toEqual(['trial-1', 'trial-1-attempt-2']);
});

test('a task that a dying server ended is run anew, a task that the agent failed is not; what there is stays to the byte', async () => {
  const server = JSON.stringify({
    server: 'playwright',
    command: [
      process.execPath,
      path.join(import.meta.dirname, 'child-dies-once.ts'),
      path.join(sandbox.folder, 'has-died'),
      findProgram('@playwright/mcp'),
    ],
  });
  const tasks = [taskFile('local-form-submit'), path.join(failingTasks, 'fail-wrong-text.task.json')];
  const args = [...tasks, '--server', server, '--no-screenshots'];
  const first = await sandbox.run(args);
  const outcomes = () => readResults(first.out).map(({ outcome, attempt }) => [outcome, attempt]);
  expect(outcomes(), first.err).toEqual([
    ['server_error', 1],
    ['failed', 1],
  ]);
  const folders = ['local-form-submit', 'fail-wrong-text'].map((id) => path.join(first.out, 'episodes', id, 'trial-1'));
  const before = folders.map(filesIn);
  const resumed = await sandbox.run([...args, '--resume'], { out: first.out });
  expect(resumed.err).toMatch(/^run \S+ is resumed: 1 of 2 have ended\n/);
  expect(outcomes()).toEqual([
    ['passed', 2],
    ['failed', 1],
  ]);
  expect(folders.map(filesIn)).toEqual(before);
});

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'base64')]));
}

function capOf(id: string): number {
  const { maxSteps = 30 }: { maxSteps?: number } = JSON.parse(readFileSync(taskFile(id), 'utf8'));
  return maxSteps;
}
