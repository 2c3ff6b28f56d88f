/**
 * The process of an external agent. It leads a group of its own, so that its children end with it: gemini ignores SIGTERM and runs as two
 * processes, and of qwen the child lives on when the parent has ended (both seen).
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { groupGone, type ProcessFolder, signalGroup } from '../../tools/index.ts';
import type { BoundedOutput } from './bounded-output.ts';

/** How long a group may take to end after SIGTERM, and after SIGKILL. */
const TERM_MS = 500;
const KILL_MS = 2_000;
/** How long the last output may take after the exit; a child that lives on holds the pipes open. */
const LAST_OUTPUT_MS = 200;

const running = new Set<AgentProcess>();
// When this process ends, its agents end with it. After a kill -9, the next start ends them by their folder.
process.on('exit', () => {
  for (const agent of running) agent.endNow();
});

export interface AgentProcessOptions {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  folder: ProcessFolder;
  stdout: BoundedOutput;
  stderr: BoundedOutput;
}

export interface AgentExit {
  code: number | null;
  /** How it ended, as the end of a sentence: `exited with code 1`. */
  how: string;
}

export class AgentProcess implements AsyncDisposable {
  readonly exited: Promise<AgentExit>;
  readonly #options: AgentProcessOptions;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #ending: Promise<void> | undefined;

  constructor(options: AgentProcessOptions) {
    this.#options = options;
    const { command, env, folder, stdout, stderr } = options;
    const [file = '', ...args] = command;
    const child = spawn(file, args, {
      cwd: folder.work,
      env: { ...env },
      // codex reads its input to the end before it begins.
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    running.add(this);
    child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
    // A pipe that breaks has nothing more to say; the exit tells the rest.
    for (const stream of [child.stdout, child.stderr]) stream.on('error', () => {});
    const { promise, resolve } = Promise.withResolvers<AgentExit>();
    child.once('error', (error) => resolve({ code: null, how: `could not be started (${error.message})` }));
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      const settle = (): void => {
        clearTimeout(timer);
        stdout.end();
        stderr.end();
        resolve({ code, how });
      };
      const timer = setTimeout(settle, LAST_OUTPUT_MS);
      child.once('close', settle);
    });
    this.exited = promise;
  }

  /** SIGTERM to the group, after a grace SIGKILL; then whatever left the group is ended by its folder, and the folder is removed. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** The synchronous part, for an exit hook. */
  endNow(): void {
    running.delete(this);
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
    this.#options.folder.remove();
  }

  async #end(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && signalGroup(pid, 'SIGTERM') && !(await groupGone(pid, TERM_MS))) {
      signalGroup(pid, 'SIGKILL');
      await groupGone(pid, KILL_MS);
    }
    await this.#options.folder.endProcesses(KILL_MS);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    this.endNow();
  }
}
