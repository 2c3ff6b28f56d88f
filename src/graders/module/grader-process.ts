/**
 * The program that a module's grader runs in: started with the file, it loads it and then grades one attempt after the other, as it is told. It
 * imports nothing of ours, so that it starts quickly.
 */
import { pathToFileURL } from 'node:url';
import type { AttemptReader, Grader, GraderContext } from '../grader.ts';
import type { FromGrader, Problem, ToGrader } from './messages.ts';

type Grading = Extract<ToGrader, { type: 'grade' }>;

const pending = new Map<number, PromiseWithResolvers<unknown>>();
let asked = 0;
/** The grade that is being given, or the last one. */
let current = 0;
let grader: Grader | undefined;

function send(message: FromGrader, then: () => void = () => {}): void {
  process.send?.(message, then);
}

/** Settles when the harness has replied. */
function request(
  message: { type: 'artifact'; key: string } | { type: 'ask'; request: unknown },
  grade: number,
): Promise<unknown> {
  const id = ++asked;
  const reply = Promise.withResolvers<unknown>();
  pending.set(id, reply);
  send({ ...message, grade, id });
  return reply.promise;
}

async function load(file: string): Promise<void> {
  try {
    const { default: exported }: { default?: unknown } = await import(pathToFileURL(file).href);
    grader = exported as Grader;
    const { name, version, needsModel, timeoutMs, grade } = Object(exported);
    const fields = Object.entries({ name, version, needsModel, timeoutMs });
    // Of anything else only what it is: not every value can be sent.
    const about = fields.map(([key, value]) => [key, value === Object(value) ? typeof value : value]);
    send({ type: 'loaded', about: { ...Object.fromEntries(about), grade: typeof grade } });
  } catch (error) {
    send({ type: 'not_loaded', message: problemOf(error).message });
  }
}

async function give({ grade, attempt, config, model, timeoutMs }: Grading): Promise<void> {
  current = grade;
  const reader: AttemptReader = {
    ...attempt,
    artifact: (key) => request({ type: 'artifact', key }, grade) as Promise<Uint8Array | undefined>,
  };
  const context: GraderContext = {
    // The process is ended when the time is over; this tells code that waits with a signal a moment before or at that time.
    signal: AbortSignal.timeout(timeoutMs),
    judge:
      model === undefined
        ? undefined
        : { model, ask: (question) => request({ type: 'ask', request: question }, grade) as Promise<string> },
    keep: (name, content) => send({ type: 'keep', grade, name, content }),
    config,
  };
  try {
    send({ type: 'graded', grade, said: await grader?.grade(reader, context) });
  } catch (error) {
    send({ type: 'failed', grade, problem: problemOf(error) });
  }
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof Error)) return { message: String(error), isJudgeProblem: false };
  return { message: error.message, isJudgeProblem: error.name === 'JudgeProblem' };
}

function settle({ id, ...reply }: Exclude<ToGrader, Grading>): void {
  const waiting = pending.get(id);
  pending.delete(id);
  if (reply.type === 'reply') waiting?.resolve(reply.value);
  else {
    const { message, isJudgeProblem } = reply.problem;
    waiting?.reject(Object.assign(new Error(message), isJudgeProblem ? { name: 'JudgeProblem' } : {}));
  }
}

// By message and not by pipe: what a grader prints comes before its verdict then, and is kept with the right grade.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const then = rest.find((given) => typeof given === 'function') as (() => void) | undefined;
    send({ type: 'print', grade: current, text }, then);
    return true;
  };
}
// An error that nothing catches is that of the grade; the state of the process is unknown after it.
process.on('uncaughtException', (error) =>
  send({ type: 'failed', grade: current, problem: problemOf(error) }, () => process.exit(1)),
);
// The harness has ended.
process.on('disconnect', () => process.exit());
process.on('message', (message: ToGrader) => {
  if (message.type === 'grade') void give(message);
  else settle(message);
});
void load(process.argv[2] ?? '');
