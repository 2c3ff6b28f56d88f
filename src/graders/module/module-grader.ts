/** A grader in a file of the user's. It runs in processes of its own, so that whatever it does ends in a grade and harms nothing else. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { furtherNameProblem } from '../../cases/index.ts';
import { graderNameSchema, type ModuleSpec } from '../../cases/schemas.ts';
import { messageOf, sentenceOf, WaymarkError } from '../../errors/index.ts';
import type { Assessment, AttemptReader, Grader, GraderContext } from '../grader.ts';
import { ModuleProcess, ProcessEnded } from './module-process.ts';

const TIMEOUT_MS = 60_000;
const LOAD_MS = 30_000;
/** A process that grades nothing for so long is ended. Starting one takes as long as loading the module. */
const IDLE_MS = 3_000;
/** Then a fresh process takes over: what a module does not free does not add up. */
const MAX_GRADES = 100;

const aboutSchema = z.object({
  name: graderNameSchema,
  version: z.string().min(1).max(100),
  needsModel: z.boolean().optional(),
  timeoutMs: z.int().min(1).max(600_000).optional(),
  grade: z.literal('function'),
});
type About = z.infer<typeof aboutSchema>;

/** @throws where the file can't be loaded, or has no grader. */
export async function moduleGrader(
  spec: ModuleSpec,
  { folder }: { readonly folder: string },
  { loadMs = LOAD_MS }: { readonly loadMs?: number } = {},
): Promise<Grader> {
  const file = path.resolve(folder, spec.file);
  if (!existsSync(file)) throw bad(`The grader ${spec.file} is not there: ${file} does not exist.`);
  const processes = new IdleProcesses(() => new ModuleProcess(file, path.resolve(folder)));
  const { name, version, needsModel, timeoutMs } = await processes.use((one) => load(one, spec.file, loadMs));
  const limit = spec.timeoutMs ?? timeoutMs ?? TIMEOUT_MS;
  const terms = { config: spec.config, timeoutMs: limit };
  const grade = (attempt: AttemptReader, context: GraderContext): Promise<Assessment> =>
    processes.use((one) => one.grade(attempt, context, terms));
  return {
    name: spec.name ?? name,
    version,
    ...(needsModel === undefined ? {} : { needsModel }),
    timeoutMs: limit,
    grade,
  };
}

async function load(one: ModuleProcess, file: string, loadMs: number): Promise<About> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it was not loaded within ${loadMs} ms`)), loadMs);
  let about: unknown;
  try {
    about = await Promise.race([one.about, late.promise]);
  } catch (error) {
    // It may hang, and no later grade can use it.
    await one[Symbol.asyncDispose]();
    throw bad(`The grader ${file} can't be loaded: ${messageOf(error)}`, error);
  } finally {
    clearTimeout(timer);
  }
  if (Object(about).grade !== 'function')
    throw bad(
      `${file} does not export a grader: an object with a name, a version and a function grade(attempt, context).`,
    );
  const parsed = aboutSchema.safeParse(about);
  if (!parsed.success) throw bad(`The grader ${file} can't be used: ${sentenceOf(parsed.error)}`);
  const taken = furtherNameProblem(parsed.data.name);
  if (taken !== undefined) throw bad(`The grader ${file} ${taken}.`);
  return parsed.data;
}

/** Processes that wait for the next grade; each gives one grade at a time. */
class IdleProcesses {
  readonly #start: () => ModuleProcess;
  readonly #idle: { one: ModuleProcess; timer: NodeJS.Timeout }[] = [];

  constructor(start: () => ModuleProcess) {
    this.#start = start;
  }

  /** With a process that is ready, or a new one. A process that has graded before and ends is no verdict on this attempt: a fresh one tries again. */
  async use<T>(work: (one: ModuleProcess) => Promise<T>): Promise<T> {
    const waiting = this.#idle.pop();
    clearTimeout(waiting?.timer);
    const one = waiting?.one ?? this.#start();
    one.keepAlive(true);
    try {
      return await work(one);
    } catch (error) {
      if (!(error instanceof ProcessEnded) || !waiting) throw error;
      return await this.use(work);
    } finally {
      await this.#giveBack(one);
    }
  }

  async #giveBack(one: ModuleProcess): Promise<void> {
    if (one.isGone || one.grades >= MAX_GRADES) return one[Symbol.asyncDispose]();
    one.keepAlive(false);
    const timer = setTimeout(() => {
      this.#idle.splice(0, this.#idle.length, ...this.#idle.filter((entry) => entry.one !== one));
      void one[Symbol.asyncDispose]();
    }, IDLE_MS);
    this.#idle.push({ one, timer: timer.unref() });
  }
}

function bad(message: string, cause?: unknown): WaymarkError {
  const hint = 'See docs/how-to/write-a-grader.md.';
  return new WaymarkError({ code: 'usage_bad_grader', message, hint, ...(cause === undefined ? {} : { cause }) });
}
