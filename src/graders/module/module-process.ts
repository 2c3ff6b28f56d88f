/**
 * A process that runs a module's grader, as the harness sees it. A process, and not a worker thread: a thread that uses up its memory ends the
 * whole process with it (seen in 4 of 9 runs with a limit of 128 to 512 MB on Node 24).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../errors/index.ts';
import { BoundedOutput, ProcessFolder, ProgramProcess } from '../../tools/index.ts';
import { codeEnvironment } from '../code-environment.ts';
import type { Assessment, AttemptReader, GraderContext } from '../grader.ts';
import { JudgeProblem } from '../judge/judge.ts';
import { type FromGrader, fromGraderSchema, judgeRequestSchema } from './messages.ts';

const MODULE_LIMITS = {
  /** Megabytes of JavaScript objects, and of everything in memory: the second is watched, on Linux. */
  heapMb: 512,
  memoryMb: 1_024,
  watchMs: 250,
  /** Bytes of the files that are kept with one grade. */
  keptBytes: 20_000_000,
} as const;

/** The process has ended by itself, or used more than it may. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

interface Grading {
  readonly grade: number;
  readonly attempt: AttemptReader;
  readonly context: GraderContext;
  readonly output: BoundedOutput;
  readonly said: PromiseWithResolvers<Assessment>;
  keptBytes: number;
}

export interface GradeTerms {
  readonly config: unknown;
  readonly timeoutMs: number;
}

export class ModuleProcess implements AsyncDisposable {
  readonly #program: ProgramProcess;
  readonly #loaded = Promise.withResolvers<Extract<FromGrader, { type: 'loaded' }>['about']>();
  /** What its runtime says when it fails; what the grader prints comes by messages. */
  readonly #lastWords = newOutput();
  #grading: Grading | undefined;
  #grades = 0;
  #isGone = false;

  constructor(file: string, cwd: string) {
    // The same file is TypeScript in the repository and JavaScript in the package.
    const entry = path.join(import.meta.dirname, `grader-process${path.extname(import.meta.filename)}`);
    const flags = [`--max-old-space-size=${MODULE_LIMITS.heapMb}`, '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
    const folder = new ProcessFolder();
    this.#program = new ProgramProcess({
      command: [process.execPath, ...flags, entry, file],
      cwd,
      env: codeEnvironment(folder),
      folder,
      stdout: this.#lastWords,
      stderr: this.#lastWords,
      onMessage: (message) => this.#take(message),
    });
    void this.#program.exited.then(({ how }) => this.#end(this.#whyEnded(how)));
    // Its grade has ended already.
    this.#loaded.promise.catch(() => {});
  }

  /** What the module says of its grader. @throws a sentence without its beginning, where it can't be loaded. */
  get about(): Promise<Extract<FromGrader, { type: 'loaded' }>['about']> {
    return this.#loaded.promise;
  }

  get grades(): number {
    return this.#grades;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether the harness waits for it, or may end while it is idle. */
  keepAlive(isWanted: boolean): void {
    this.#program.keepAlive(isWanted);
  }

  /** One at a time. @throws what the grader throws; ProcessEnded where the process has ended by itself or by a limit. */
  async grade(attempt: AttemptReader, context: GraderContext, { config, timeoutMs }: GradeTerms): Promise<Assessment> {
    const grade = ++this.#grades;
    const output = newOutput();
    const said = Promise.withResolvers<Assessment>();
    this.#grading = { grade, attempt, context, output, said, keptBytes: 0 };
    const watch = setInterval(() => this.#watchMemory(), MODULE_LIMITS.watchMs);
    const stop = (): void => this.#giveUp(new Error('its time is over'));
    context.signal.addEventListener('abort', stop, { once: true });
    try {
      await this.about;
      if (this.#isGone) this.#end('has ended');
      const { artifact: _, ...plain } = attempt;
      this.#program.send({ type: 'grade', grade, attempt: plain, config, model: context.judge?.model, timeoutMs });
      return await said.promise;
    } finally {
      clearInterval(watch);
      context.signal.removeEventListener('abort', stop);
      this.#grading = undefined;
      output.end();
      if (output.text !== '') context.keep('output.txt', output.text);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isGone = true;
    await this.#program[Symbol.asyncDispose]();
  }

  #end(how: string): void {
    this.#giveUp(new ProcessEnded(`its process ${how}`));
  }

  /** Fails what is waited for; the process gives no further grade. */
  #giveUp(problem: Error): void {
    this.#isGone = true;
    this.#loaded.reject(problem);
    this.#grading?.said.reject(problem);
  }

  #whyEnded(how: string): string {
    const { text } = this.#lastWords;
    if (text.includes('heap out of memory')) return `used more than ${MODULE_LIMITS.heapMb} MB of memory`;
    const [first = ''] = text.split('\n').filter((line) => line.trim() !== '');
    return first === '' ? how : `${how}: ${first.slice(0, 300)}`;
  }

  #take(given: unknown): void {
    const parsed = fromGraderSchema.safeParse(given);
    if (!parsed.success) return this.#end('sent a message that is none of a grader');
    const message = parsed.data;
    if (message.type === 'loaded') return this.#loaded.resolve(message.about);
    if (message.type === 'not_loaded') return this.#loaded.reject(new Error(message.message));
    const grading = this.#grading;
    // Before the first grade, a module prints and fails while it is being loaded.
    if (message.grade === 0 && message.type === 'failed')
      return this.#loaded.reject(new Error(message.problem.message));
    if (grading?.grade !== message.grade) return;
    switch (message.type) {
      case 'artifact':
        return this.#answer(message.id, grading.attempt.artifact(message.key));
      case 'ask':
        return this.#answer(message.id, this.#ask(message.request, grading.context));
      case 'keep':
        return this.#keep(message, grading);
      case 'print':
        return grading.output.add(Buffer.from(message.text));
      case 'graded':
        // Whether it is a verdict, `gradeAttempt` checks, as of every grader.
        return grading.said.resolve(message.said as Assessment);
      case 'failed': {
        const { message: text, isJudgeProblem } = message.problem;
        return grading.said.reject(isJudgeProblem ? new JudgeProblem(text) : new Error(text));
      }
    }
  }

  #answer(id: number, work: Promise<unknown>): void {
    work.then(
      (value) => this.#program.send({ type: 'reply', id, value }),
      (error: unknown) => {
        const problem = { message: messageOf(error), isJudgeProblem: error instanceof JudgeProblem };
        this.#program.send({ type: 'refusal', id, problem });
      },
    );
  }

  async #ask(request: unknown, { judge, signal }: GraderContext): Promise<string> {
    if (!judge) throw new Error('There is no judge.');
    return judge.ask(judgeRequestSchema.parse(request), signal);
  }

  #keep({ name, content }: Extract<FromGrader, { type: 'keep' }>, grading: Grading): void {
    grading.keptBytes += content.length;
    if (grading.keptBytes > MODULE_LIMITS.keptBytes)
      this.#end(`was ended, because it keeps more than ${MODULE_LIMITS.keptBytes / 1_000_000} MB of files`);
    else grading.context.keep(name, content);
  }

  /** Buffers are no JavaScript objects, and have no limit of their own. */
  #watchMemory(): void {
    const { pid } = this.#program;
    if (pid === undefined || residentMb(pid) <= MODULE_LIMITS.memoryMb) return;
    this.#end(`was ended, because it used more than ${MODULE_LIMITS.memoryMb} MB of memory`);
  }
}

function newOutput(): BoundedOutput {
  return new BoundedOutput({ redact: (text) => text, onLine: () => {} });
}

/** 0 where the system does not say. */
function residentMb(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}
