/** One stage of `npm test`: a child process with a time limit; one line when it ends, and its whole output when it fails. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Counts, readCounts, readFailures, readSlowest } from './counts.ts';

// A guard against hanging, far above what a stage takes, so that a busy machine does not fail a run.
const CAP_MS = 40 * 60_000;
const STILL_RUNNING_MS = 30_000;
const DRAIN_MS = 2_000;

export interface Stage {
  name: string;
  /** Arguments for the Node that runs this script. */
  args: string[];
  /** Where vitest writes its JSON report. */
  report?: string;
  capMs?: number;
}

export interface StageResult {
  name: string;
  ok: boolean;
  seconds: number;
  counts?: Counts;
  failures?: string[];
  slowest?: string[];
}

const running = new Set<ChildProcess>();

export async function runStage(
  stage: Stage,
  cwd: string,
  say: (text: string) => void = console.log,
): Promise<StageResult> {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const capMs = stage.capMs ?? CAP_MS;
  // In its own process group, so that everything it started ends with it.
  const child = spawn(process.execPath, stage.args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...colour() },
    detached: process.platform !== 'win32',
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let overdue = false;
  const cap = setTimeout(() => {
    overdue = true;
    end(child);
  }, capMs);
  const stillRunning = setInterval(() => say(`${stage.name} … ${seconds().toFixed(0)} s`), STILL_RUNNING_MS);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(null);
    });
    child.once('close', resolve);
    // A stray grandchild that keeps the pipe open must not block the run.
    child.once('exit', (exitCode) => setTimeout(() => resolve(exitCode), DRAIN_MS).unref());
  });
  clearTimeout(cap);
  clearInterval(stillRunning);
  running.delete(child);
  end(child);

  const ok = code === 0 && !overdue;
  const counts = stage.report === undefined ? undefined : readCounts(stage.report, ok);
  const why = overdue ? ` (ended after its limit of ${capMs / 1000} s)` : code === 0 ? '' : ` (exit code ${code})`;
  say(`${ok ? 'ok    ' : 'FAILED'} ${stage.name}, ${seconds().toFixed(1)} s${why}`);
  const failures = ok || stage.report === undefined ? [] : readFailures(stage.report, cwd);
  for (const failure of failures) say(`  ✗ ${failure}`);
  if (!ok) say(`──── ${stage.name} ────\n${output.trimEnd()}\n────────${'─'.repeat(stage.name.length)}──`);
  const slowest = stage.report === undefined ? [] : readSlowest(stage.report, cwd);
  return {
    name: stage.name,
    ok,
    seconds: seconds(),
    ...(counts ? { counts } : {}),
    ...(failures.length > 0 ? { failures } : {}),
    ...(slowest.length > 0 ? { slowest } : {}),
  };
}

/** Stages write to a pipe; whether they use colour depends on the output of this process. */
function colour(): NodeJS.ProcessEnv {
  return process.stdout.isTTY && !process.env['NO_COLOR']
    ? { FORCE_COLOR: '1' }
    : { NO_COLOR: '1', FORCE_COLOR: undefined };
}

export function endAll(): void {
  for (const child of running) end(child);
}

/** Ends the whole process group, also after a normal exit: nothing that a stage started may keep running. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // nothing of it is left
  }
}
