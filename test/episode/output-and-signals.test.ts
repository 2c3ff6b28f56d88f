/** Whatever becomes of the terminal: the report is written, the lock is released, and the exit code is right. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProcess } from '../repository/run-process.ts';
import { CommandSandbox, NOTHING_LEFT, readReport, taskFile } from './command.ts';

const sandbox = new CommandSandbox();
afterAll(() => sandbox[Symbol.dispose]());

const TASKS = [taskFile('example-h1'), taskFile('keys-chord'), '--no-screenshots'];

interface Ended {
  code: number | null;
  err: string;
  summary: { planned: number; finished: number; passed: number };
  isLocked: boolean;
}

async function ended(child: ChildProcess, out: string): Promise<Ended> {
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    err += part;
  });
  const [code] = await once(child, 'close');
  const { planned, finished, passed } = readReport(out).summary;
  return { code, err, summary: { planned, finished, passed }, isLocked: existsSync(path.join(out, 'run.lock')) };
}

test('bench:episode refuses what it does not know, and a value that is forgotten', async () => {
  const script = path.resolve(import.meta.dirname, '../../scripts/bench-episode.ts');
  const ran = await runProcess(process.execPath, [script, '--tasks', 'x', '--adaptor', 'mock'], {
    cwd: sandbox.folder,
    env: sandbox.env(),
  });
  expect(ran).toMatchObject({
    code: 2,
    out: '',
    err: 'waymark: waymark bench:episode has no flag --adaptor. Did you mean --adapter?\nSee: waymark bench:episode --help\n',
  });
});

const BOTH = { planned: 2, finished: 2, passed: 2 };

test('a reader that has closed both streams (2>&1 | head -1) ends no run', async () => {
  const { child, out } = sandbox.start(TASKS, {}, { stdout: 'pipe' });
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect(await ended(child, out)).toMatchObject({ code: 0, summary: BOTH, isLocked: false });
});

test.skipIf(!existsSync('/dev/full'))('a full standard output is said, and is no success', async () => {
  const full = openSync('/dev/full', 'w');
  const { child, out } = sandbox.start([...TASKS, '--json'], {}, { stdout: full });
  closeSync(full);
  const run = await ended(child, out);
  expect(run).toMatchObject({ code: 3, summary: BOTH, isLocked: false });
  expect(run.err).toMatch(/^waymark: The standard output could not be written: .*ENOSPC.*\n$/);
});

test('a terminal that is closed (SIGHUP) stops the run as Ctrl-C does', async () => {
  const { child, out } = sandbox.start(TASKS, { OPENCHROME_BENCH_VERBOSE: '1' });
  child.stderr?.once('data', () => {
    child.kill('SIGHUP');
    // The terminal is gone: what is said is read by nothing.
    child.stderr?.destroy();
  });
  expect(await ended(child, out)).toMatchObject({ code: 3, summary: { planned: 2 }, isLocked: false });
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});

/** Sends the signal to its own process as soon as something listens to it: the rest of Waymark is not even loaded then. */
const AT_ONCE = `process.on('newListener', (name) => { if (name === 'SIGINT') queueMicrotask(() => process.kill(process.pid, 'SIGINT')); });`;

test('Ctrl-C in the first moment is not lost: nothing is finished, and everything that was planned is reported', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(AT_ONCE)}`;
  const { child, out } = sandbox.start(TASKS, {}, { node: ['--import', preload] });
  const run = await ended(child, out);
  expect(run).toMatchObject({ code: 3, summary: { planned: 2, finished: 0, passed: 0 }, isLocked: false });
  // Nothing is read from the system while modules are loaded, so that it may be heard only when the first attempt waits for its browser.
  expect(run.err).toMatch(/^stopping; once more to stop at once\n/);
  expect(readReport(out).summary.strict).toMatchObject({ passed: 0, of: 2 });
});
