/**
 * The process of a user's program: an external agent, or a grader. It leads a group and a session of its own, so that its children end with it
 * and it can't read from the terminal: gemini ignores SIGTERM and runs as two processes, and of qwen the child lives on when the parent has
 * ended (both seen).
 */
import { type ChildProcess, type Serializable, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { ProcessFolder } from './process-folder.ts';
import { groupGone, signalGroup } from './process-group.ts';

/** How long a group may take to end after SIGTERM, and after SIGKILL. */
const TERM_MS = 500;
const KILL_MS = 2_000;
/** How long the last output may take after the exit; a child that lives on holds the pipes open. */
const LAST_OUTPUT_MS = 200;

const running = new Set<ProgramProcess>();
// When this process ends, its programs end with it. After a kill -9, the next start ends them by their folder.
process.on('exit', () => {
  for (const program of running) program.endNow();
});

/** What takes the output of a program; `end` is called when no more comes. */
export interface OutputSink {
  add(chunk: Buffer): void;
  end(): void;
}

export interface ProgramProcessOptions {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Its HOME and its temporary files; removed with the process. */
  folder: ProcessFolder;
  /** By default the folder's own. */
  cwd?: string;
  /** What it reads from stdin; by default nothing. */
  input?: string;
  stdout: OutputSink;
  stderr: OutputSink;
  /** For a program that runs on Node: gives it a channel for messages, and takes those that it sends. */
  onMessage?: (message: unknown) => void;
}

export interface ProgramExit {
  code: number | null;
  /** How it ended, as the end of a sentence: `exited with code 1`. */
  how: string;
}

export class ProgramProcess implements AsyncDisposable {
  readonly exited: Promise<ProgramExit>;
  readonly #options: ProgramProcessOptions;
  readonly #child: ChildProcess;
  #ending: Promise<void> | undefined;

  constructor(options: ProgramProcessOptions) {
    this.#options = options;
    const { command, env, folder, cwd = folder.work, input, stdout, stderr, onMessage } = options;
    const [program = '', ...rest] = command;
    const [file, ...args] = folder.marked([program, ...rest]);
    const child = spawn(file, args, {
      cwd,
      env: { ...env },
      // codex reads its input to the end before it begins.
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(onMessage ? (['ipc'] as const) : [])],
      serialization: 'advanced',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    running.add(this);
    child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    // A pipe that breaks has nothing more to say, and a program need not read all of its input; the exit tells the rest.
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.stdin?.end(input);
    if (onMessage) child.on('message', onMessage);
    const { promise, resolve } = Promise.withResolvers<ProgramExit>();
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

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What can't be sent any more is dropped: the exit tells the rest. */
  send(message: Serializable): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Whether this process stays alive for it. When it goes away, the program ends with it in any case. */
  keepAlive(isWanted: boolean): void {
    const sockets = this.#child.stdio.filter((stream) => stream instanceof Socket);
    for (const handle of [this.#child, this.#child.channel, ...sockets]) {
      if (isWanted) handle?.ref();
      else handle?.unref();
    }
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
    for (const stream of this.#child.stdio) stream?.destroy();
    this.endNow();
  }
}
