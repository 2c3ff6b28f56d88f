/** `waymark` as a person types it: a process of its own, from the sources, with its own state folder. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { processesWith } from '../../src/chromium/index.ts';
import type { EpisodeResult, JournalEvent } from '../../src/events/index.ts';
import type { RunReport } from '../../src/runs/index.ts';
import { type Ended, plainEnvironment, runProcess } from '../repository/run-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const main = path.join(root, 'src/cli/main.ts');
export const tasks = path.join(root, 'fixtures/tasks');
export const failingTasks = path.join(root, 'fixtures/tasks-failing');
export const taskFile = (id: string): string => path.join(tasks, `${id}.task.json`);

export interface Ran extends Ended {
  /** The run's folder. */
  out: string;
  stdout: string;
}

export interface Typed {
  env?: NodeJS.ProcessEnv;
  /** Flags of Node itself. */
  node?: readonly string[];
  /** What runs Node: `unshare -n …`. */
  under?: readonly string[];
  /** The run's folder, where it is not just any new one. */
  out?: string;
}

/** Runs commands in a temporary folder of its own, with its own state. */
export class CommandSandbox implements Disposable {
  // Short names: @playwright/mcp makes sockets below it, and a socket's path has little room.
  readonly folder = mkdtempSync(path.join(tmpdir(), 'wm-'));
  readonly state = path.join(this.folder, 's');
  #runs = 0;

  newOut(): string {
    return path.join(this.folder, `run-${++this.#runs}`);
  }

  env(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return plainEnvironment({ WAYMARK_STATE_DIR: this.state, NO_COLOR: '1', ...changes });
  }

  /** `waymark run <args> --out <folder>`, to its end. */
  async run(args: readonly string[], how: Typed = {}): Promise<Ran> {
    const out = how.out ?? this.newOut();
    const line = [...(how.under ?? []), process.execPath, ...(how.node ?? []), main, 'run', ...args, '--out', out];
    const [command = '', ...rest] = line;
    const ended = await runProcess(command, rest, { cwd: this.folder, env: this.env(how.env) });
    return { ...ended, stdout: ended.out, out };
  }

  /** The same, not awaited; to be killed. `stdout`: where it goes, if it is read. */
  start(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    { node = [], stdout = 'ignore' }: Typed & { stdout?: 'ignore' | 'pipe' | number } = {},
  ) {
    const out = this.newOut();
    // By its types, spawn does not know that the third one is a pipe.
    const child = spawn(process.execPath, [...node, main, 'run', ...args, '--out', out], {
      cwd: this.folder,
      env: this.env(env),
      stdio: ['ignore', stdout, 'pipe'],
    }) as ChildProcessByStdio<null, Readable | null, Readable>;
    return { child, out };
  }

  /** What runs of this sandbox have left: processes, and entries of the process registry of browsers. */
  left(): { processes: string[]; profiles: string[]; ledger: string[]; servers: string[] } {
    const list = (name: string): string[] => {
      const folder = path.join(this.state, name);
      return existsSync(folder) ? readdirSync(folder) : [];
    };
    return {
      processes: processesWith(this.folder)
        .filter(({ pid }) => pid !== process.pid)
        .map(({ commandLine }) => commandLine.slice(0, 200)),
      profiles: list('profiles'),
      ledger: list('ledger'),
      servers: list('servers'),
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const NOTHING_LEFT = { processes: [], profiles: [], ledger: [], servers: [] };

export function readReport(out: string): RunReport {
  return JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')) as RunReport;
}

/** With times: `reports/<run-id>.json`. */
export function readResults(out: string): EpisodeResult[] {
  const { runId } = readReport(out);
  return (JSON.parse(readFileSync(path.join(out, 'reports', `${runId}.json`), 'utf8')) as { episodes: EpisodeResult[] })
    .episodes;
}

/** Whole lines of JSON among what a verbose run said. A last line that no newline ends was cut by a kill. */
export function eventsSaid(stderr: string): JournalEvent[] {
  return stderr
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as JournalEvent);
}
