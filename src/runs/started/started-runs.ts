/**
 * Runs that a server starts: each is `waymark run` in a process of its own, into the folder that the server shows. They end with the server,
 * in good order (what runs is journalled as interrupted), and are resumed from their page.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WaymarkError } from '../../errors/index.ts';
import { putJson } from '../../journal/index.ts';
import { LAUNCH_FILE } from '../folder/launch-file.ts';
import { isRun, readRunFile } from '../folder/run-file.ts';
import { isExecuted } from '../folder/run-lock.ts';
import { newRunId } from '../run-id.ts';
import { ChildCommand } from './child-command.ts';
import { argumentsOf, type StartRequest, startRequestSchema } from './start-request.ts';
import { type OfferedSuite, type OfferedVariant, offeredSuites, offeredVariants } from './suites-and-variants.ts';

/** Each has browsers of its own. */
const AT_ONCE = 4;
/** Suites of templates are made before the run begins. */
const START_MS = 120_000;
const STOP_MS = 20_000;
const LOOK_MS = 50;

export interface StartedRunsOptions {
  /** The program and what stands before its arguments: `node src/cli/main.ts`. */
  command: readonly string[];
  /** New runs are made in it. */
  runs: string;
  suites: readonly string[];
  variants: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export class StartedRuns implements AsyncDisposable {
  readonly #options: StartedRunsOptions;
  readonly #running = new Map<string, ChildCommand>();
  /** Why a run's process ended before its time, by the run's folder. */
  readonly #problems = new Map<string, string>();
  #isStopping = false;

  constructor(options: StartedRunsOptions) {
    this.#options = options;
  }

  suites(): OfferedSuite[] {
    return offeredSuites(this.#options.suites);
  }

  variants(): OfferedVariant[] {
    return offeredVariants(this.#options.variants, this.#options.env);
  }

  /** Throws where it names a suite or a variant that is not offered. */
  assertOffered(request: StartRequest): void {
    this.#arguments(request);
  }

  /** As `waymark run --preview --json` prints it. */
  async preview(request: StartRequest, signal: AbortSignal): Promise<unknown> {
    return this.#ask(['run', ...this.#arguments(request), '--preview', '--json'], signal);
  }

  /** Resolves with the run's id once its plan is written. */
  async start(request: StartRequest): Promise<string> {
    const root = path.join(this.#options.runs, newRunId());
    const args = this.#arguments(request);
    mkdirSync(root, { recursive: true });
    // Before the run: whenever this server is killed, the next one knows how to resume what has begun.
    putJson(path.join(root, LAUNCH_FILE), request);
    try {
      await this.#spawn(root, [...args, `--out=${root}`, '--new'], () => isRun(root));
    } catch (error) {
      if (!isRun(root)) rmSync(root, { recursive: true, force: true });
      throw error;
    }
    return readRunFile(root).plan.runId;
  }

  /** Goes on with a run that was started here. `failed`: also with what the agent did not pass. */
  async resume(root: string, which: 'faults' | 'failed'): Promise<void> {
    const request = this.requestOf(root);
    if (!request)
      throw new WaymarkError({
        code: 'run_not_started_here',
        message: 'This run was started at a command line: the server does not know with what.',
        hint: `Add --resume${which === 'failed' ? ' --retry-failed' : ''} and its folder to the command that began it: ${root}`,
      });
    const more = which === 'failed' ? ['--retry-failed'] : [];
    await this.#spawn(root, [...this.#arguments(request), `--out=${root}`, '--resume', ...more], () =>
      isExecuted(root),
    );
  }

  /** As `waymark grade --json` prints it. */
  async grade(root: string, args: readonly string[], signal: AbortSignal): Promise<unknown> {
    const suite = this.suiteOf(root);
    const tasks = suite ? [`--tasks=${suite.folder}`] : [];
    return this.#ask(['grade', root, ...tasks, ...args, '--json'], signal);
  }

  /** Undefined for a run that was not started by a server. */
  requestOf(root: string): StartRequest | undefined {
    const file = path.join(root, LAUNCH_FILE);
    if (!existsSync(file)) return undefined;
    try {
      return startRequestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
    } catch {
      return undefined;
    }
  }

  suiteOf(root: string): OfferedSuite | undefined {
    const name = this.requestOf(root)?.suite;
    return this.suites().find((suite) => suite.name === name);
  }

  problemOf(root: string): string | undefined {
    return this.#problems.get(root);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#running.values()].map((child) => child.stop(STOP_MS)));
  }

  #arguments(request: StartRequest): string[] {
    const suite = this.suites().find(({ name }) => name === request.suite);
    if (!suite) throw unknown('suite', request.suite, this.suites());
    if (request.variant === undefined) return argumentsOf(request, { suite, variant: undefined });
    const variant = this.variants().find(({ name }) => name === request.variant);
    if (!variant) throw unknown('variant', request.variant, this.variants());
    return argumentsOf(request, { suite, variant });
  }

  /** Until it has begun. */
  async #spawn(root: string, args: readonly string[], hasBegun: () => boolean): Promise<void> {
    if (this.#isStopping || this.#running.size >= AT_ONCE)
      throw new WaymarkError({
        code: 'too_many_runs',
        message: this.#isStopping ? 'The server is stopping.' : `${AT_ONCE} runs that this server started go on.`,
        hint: 'Wait until one has ended, or stop one.',
      });
    this.#problems.delete(root);
    const child = this.#command(['run', ...args, '--json']);
    this.#running.set(root, child);
    let isOver = false;
    const ended = child.ended.then(({ code, signal }) => {
      isOver = true;
      this.#running.delete(root);
      // 1: some did not pass. 3 is also the end of a run that was stopped, which its page says.
      if (signal !== null || code === null || code === 2)
        this.#problems.set(root, child.problem(`Its process ended with ${signal ?? `code ${code}`}.`).message);
    });
    const deadline = performance.now() + START_MS;
    while (!hasBegun()) {
      if (performance.now() > deadline) await child.stop(STOP_MS);
      await Promise.race([ended, delay(LOOK_MS)]);
      if (isOver && !hasBegun()) {
        // A resumed run with nothing left to do has ended before it was seen to begin.
        const { code } = await child.ended;
        if ((code === 0 || code === 1) && isRun(root)) return;
        throw child.problem('The run did not start.');
      }
    }
  }

  /** A command that prints its answer and ends. */
  async #ask(args: readonly string[], signal: AbortSignal): Promise<unknown> {
    const child = this.#command(args);
    const stop = (): void => void child.stop(STOP_MS);
    signal.addEventListener('abort', stop, { once: true });
    const { code } = await child.ended;
    signal.removeEventListener('abort', stop);
    const answer = child.json();
    if (answer === undefined || 'error' in Object(answer) || (code !== 0 && code !== 1))
      throw child.problem('The command did not answer.');
    return answer;
  }

  #command(args: readonly string[]): ChildCommand {
    const { command, cwd, env } = this.#options;
    // The server's own secret is nothing for agents and graders.
    const { WAYMARK_TOKEN: _, ...rest } = env;
    return new ChildCommand(command, args, { cwd, env: rest });
  }
}

function unknown(what: string, name: string, all: readonly { name: string }[]): WaymarkError {
  return new WaymarkError({
    code: 'not_found',
    message: `This server offers no ${what} "${name}".`,
    hint: `It offers: ${all.map((one) => one.name).join(', ') || 'none'}. Start it with --${what}s <folder> for others.`,
  });
}
