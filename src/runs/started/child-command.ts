/** A command of Waymark as a process of its own, in a group of its own: what it does can't end the process that started it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isErrorCode, WaymarkError } from '../../errors/index.ts';
import { END_WITH_INPUT } from './end-with-input.ts';

/** Of what it prints; a report may be many megabytes, and is not read here. */
const KEPT = 64 * 1024;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class ChildCommand {
  readonly #child: ChildProcess;
  readonly ended: Promise<Exit>;
  #out = '';
  #err = '';

  /** `command`: the program and what stands before the arguments. */
  constructor(command: readonly string[], args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    const [program = process.execPath, ...before] = command;
    const env = { ...options.env, [END_WITH_INPUT]: '1' };
    this.#child = spawn(program, [...before, ...args], { ...options, env, stdio: 'pipe', detached: true });
    // Its end is what tells that it is gone, and not that nothing can be written to it.
    this.#child.stdin?.on('error', () => {});
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#out.length < KEPT) this.#out += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#err = (this.#err + text).slice(-KEPT);
    });
    const { promise, resolve } = Promise.withResolvers<Exit>();
    this.#child.once('error', (error) => {
      this.#err += error.message;
      resolve({ code: null, signal: null });
    });
    this.#child.once('close', (code, signal) => resolve({ code, signal }));
    this.ended = promise;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it printed, as JSON; undefined where that is none. */
  json(): unknown {
    try {
      return JSON.parse(this.#out);
    } catch {
      return undefined;
    }
  }

  /** The error that it reported, or what it wrote last. */
  problem(what: string): WaymarkError {
    const { error } = Object(this.json()) as { error?: { code?: unknown; message?: unknown; hint?: unknown } };
    const { code, message, hint } = error ?? {};
    if (typeof code === 'string' && isErrorCode(code) && typeof message === 'string')
      return new WaymarkError({ code, message, ...(typeof hint === 'string' ? { hint } : {}) });
    const last = this.#err.trim().split('\n').slice(-5).join('\n');
    return new WaymarkError({
      code: 'run_not_started',
      message: `${what}${last === '' ? '' : ` It wrote: ${last}`}`,
      hint: 'Try the same by the command line: waymark run --help',
    });
  }

  /** As Ctrl-C does; what has not ended after a while is killed, with all that it has started in its group. */
  async stop(withinMs: number): Promise<void> {
    if (!this.isRunning) return;
    const { pid } = this.#child;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => {
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }, withinMs);
    if (this.isRunning) await once(this.#child, 'exit');
    clearTimeout(timer);
  }
}
