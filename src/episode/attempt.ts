/** One attempt at a task: its caps, its lanes, and how it ends. The first thing that ends it decides; from then on no call is made. */
import type * as z from 'zod';
import type { EpisodeTaskSpec } from '../cases/index.ts';
import { type Contract, type Facts, type FactsNeeded, factsNeeded, type Verdict } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import {
  AttemptScorer,
  boundMessage,
  HELD_AT_START,
  messageSchema,
  type Said,
  turnMessageSchema,
  usageMessageSchema,
  warningMessageSchema,
} from '../events/index.ts';
import type { Journal } from '../journal/index.ts';
import type { OpenedModel } from '../models/index.ts';
import type { Session, SessionTask } from './agent.ts';
import { AttemptClock } from './attempt-clock.ts';
import { type AttemptContext, attemptEnded, type Recovery } from './attempt-context.ts';
import { BudgetMeter } from './budget-meter.ts';
import { Deadline } from './deadline.ts';
import { type Ending, endingOf, type FinalVerdict, TIME_IS_UP } from './endings.ts';
import { EvidenceLog } from './evidence-log.ts';
import { ImageQuestions } from './image-questions.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { ATTEMPT_LIMITS } from './limits.ts';
import { OpenCalls } from './open-calls.ts';
import { OpenedPages } from './opened-pages.ts';
import type { PictureStore } from './picture-store.ts';
import { Secrets } from './secrets.ts';
import type { ServerUnderTest } from './under-test.ts';

export interface AttemptOptions {
  task: EpisodeTaskSpec;
  server: ServerUnderTest;
  journal: Pick<Journal, 'append'>;
  pictures?: PictureStore | undefined;
  /** The agent must say that it is done, and a contract that holds ends nothing. */
  untilDone?: boolean | undefined;
  /** The values of the task's secrets. */
  secrets?: Secrets | undefined;
  /** Actions that need approval are let through. */
  allowGuarded?: boolean | undefined;
  callTimeoutMs?: number | undefined;
  exemplars?: NonNullable<Facts['exemplars']> | undefined;
  /** Answers the questions of `image_qa`; what it uses is not charged to the agent. */
  imageModel?: OpenedModel | undefined;
  /** From outside: Ctrl-C. It bounds what is asked after the end. */
  signal?: AbortSignal | undefined;
  /** Caps on the amounts that are reported to `say`. */
  maxTokens?: number | undefined;
  /** US dollars. */
  maxCost?: number | undefined;
  /** `main` included. */
  maxLanes?: number | undefined;
  recovery?: Recovery | undefined;
}

/** By the type of what is said; everything else is a message of the trace. */
const saidSchemas: Readonly<Record<string, z.ZodType<Said>>> = {
  usage: usageMessageSchema,
  turn: turnMessageSchema,
  warning: warningMessageSchema,
};

export class Attempt implements AttemptContext {
  readonly task: EpisodeTaskSpec;
  readonly server: ServerUnderTest;
  readonly journal: Pick<Journal, 'append'>;
  readonly pictures: PictureStore | undefined;
  readonly secrets: Secrets;
  readonly allowGuarded: boolean;
  readonly callTimeoutMs: number;
  readonly exemplars: NonNullable<Facts['exemplars']> | undefined;
  readonly questions: ImageQuestions | undefined;
  readonly contract: Contract;
  readonly needed: FactsNeeded;
  readonly scorer: AttemptScorer;
  readonly evidence: EvidenceLog;
  readonly openCalls = new OpenCalls();
  readonly recovery: Recovery | undefined;
  readonly contractEnter: number;
  /** Resolves with what ended it. */
  readonly ended: Promise<Ending>;
  readonly #openedPages: OpenedPages | undefined;
  readonly #outside: AbortSignal | undefined;
  readonly #untilDone: boolean;
  readonly #deadline: Deadline;
  readonly #meter: BudgetMeter;
  readonly #controller = new AbortController();
  readonly #end = Promise.withResolvers<Ending>();
  readonly #clock: AttemptClock;
  readonly #lanes: Lanes;
  #ending: Ending | undefined;
  #calls = 0;
  #openSteps = 0;
  #isWritten = false;
  #timedOut = false;
  /** Once the time is used up: settles when what was under way is answered, or has no time left to be. No step is admitted any more. */
  #lastAnswers: Promise<void> | undefined;

  constructor(options: AttemptOptions) {
    this.task = options.task;
    this.server = options.server;
    this.journal = options.journal;
    this.pictures = options.pictures;
    this.secrets = options.secrets ?? new Secrets();
    this.allowGuarded = options.allowGuarded === true;
    this.callTimeoutMs = options.callTimeoutMs ?? ATTEMPT_LIMITS.callTimeoutMs;
    this.exemplars = options.exemplars;
    this.recovery = options.recovery;
    this.contract = options.task.success;
    this.scorer = new AttemptScorer(options.task);
    this.needed = factsNeeded(this.contract);
    const { answers } = this.needed;
    this.questions =
      options.imageModel && answers.length > 0
        ? new ImageQuestions(options.imageModel, answers, (usage) =>
            this.journal.append({ type: 'usage', ...usage, role: 'grader' }),
          )
        : undefined;
    this.#openedPages =
      this.needed.pages.length > 0
        ? new OpenedPages({
            needed: this.needed.pages,
            startUrl: options.task.startUrl,
            server: options.server,
            signal: options.signal,
          })
        : undefined;
    this.#outside = options.signal;
    this.contractEnter = this.now();
    this.evidence = new EvidenceLog(options.server.witness);
    this.ended = this.#end.promise;
    this.#untilDone = options.untilDone === true;
    this.#deadline = new Deadline(options.task.maxDurationMs, () => {
      this.#lastAnswers = this.#endByTime();
    });
    const { maxTokens: tokens, maxCost: cost } = options;
    this.#meter = new BudgetMeter({ steps: options.task.maxSteps, tokens, cost }, this.#deadline);
    this.#clock = new AttemptClock(this.#deadline, () => this.#lanes.count);
    this.#lanes = new Lanes({
      attempt: this,
      limit: options.maxLanes ?? ATTEMPT_LIMITS.lanes,
      whileStarting: (work) => this.#clock.whileStarting(work),
    });
    this.#deadline.run();
  }

  /** By the witness's clock, so that it can be compared with what the witness saw. */
  now(): number {
    return this.server.witness.now();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The attempt's end; for the last look, a time of its own. After a fault there is no time left to ask. */
  get questionSignal(): AbortSignal {
    if (!this.#ending) return this.signal;
    if (this.#ending.by === 'fault' || this.#ending.by === 'crash') return AbortSignal.abort();
    const time = AbortSignal.timeout(ATTEMPT_LIMITS.finalAnswerMs);
    return this.#outside ? AbortSignal.any([time, this.#outside]) : time;
  }

  get openedPages(): OpenedPages | undefined {
    return this.#ending?.by === 'fault' || this.#ending?.by === 'crash' ? undefined : this.#openedPages;
  }

  /** The contract is decided only once the attempt has ended. */
  get isDecidedAtEnd(): boolean {
    return this.needed.answer || this.needed.pages.length > 0;
  }

  get finalAnswer(): string | null | undefined {
    if (!this.#ending) return undefined;
    return (
      (this.#ending.by === 'done' ? this.#ending.answer : undefined)?.slice(0, ATTEMPT_LIMITS.answerLength) ?? null
    );
  }

  get main(): Lane {
    return this.#lanes.main;
  }

  get steps(): number {
    return this.#meter.budget.steps.used;
  }

  /** The session that an agent gets for a lane. */
  session(lane: Lane = this.main): Session {
    const { id, title, goal, startUrl, maxSteps, secrets } = this.task;
    const task: SessionTask = { id, title, goal, startUrl, maxSteps, ...(secrets === undefined ? {} : { secrets }) };
    return {
      task,
      tools: lane.connection.client.tools,
      signal: this.signal,
      budget: this.#meter.budget,
      step: (call, options) => handled(lane.step(call, options)),
      look: (call) => handled(lane.look(call)),
      say: (message) => this.#say(message),
      executor: (name) => handled(this.#lanes.get(name).then((other) => this.session(other))),
    };
  }

  /** Shows the start page. A contract that holds there already proves nothing, and says so. */
  async start(): Promise<void> {
    await this.main.start();
    if (this.main.verdict !== 'pass') return;
    this.journal.append({ type: 'warning', source: HELD_AT_START, message: HELD });
    // A browser that was not reset still shows what an earlier attempt has done.
    if (this.server.isolation === 'server') throw new WaymarkError({ code: 'held_at_start', message: HELD });
  }

  isEnded(): boolean {
    return this.#ending !== undefined;
  }

  /** Ends the attempt, unless it has ended already. Calls that are under way are given up. */
  close(ending: Ending): void {
    if (this.#ending) return;
    this.#ending = ending;
    this.#deadline.stop();
    this.#controller.abort(attemptEnded());
    this.#end.resolve(ending);
  }

  /** What ended it; undefined while it goes on. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  fail(error: unknown): WaymarkError {
    // The time ran out while a provider failed: that there was no reply is the provider's doing, not the agent's.
    if (this.#timedOut && error instanceof WaymarkError && error.code === 'model_call_failed')
      this.#ending = endingOf(error, this.server);
    this.close(endingOf(error, this.server));
    return error instanceof WaymarkError && error.code === 'attempt_ended' ? error : attemptEnded(error);
  }

  /** Settles when no lane has a call under way. */
  async idle(): Promise<void> {
    await Promise.all([this.#lanes.idle(), this.#lastAnswers]);
  }

  /** The last look, after which nothing is said any more. */
  finish(timeoutMs: number): Promise<FinalVerdict> {
    this.#isWritten = true;
    return this.#lanes.finish(timeoutMs);
  }

  /** Closes the lanes that were opened. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lanes[Symbol.asyncDispose]();
  }

  nextCallId(): string {
    return `c${++this.#calls}`;
  }

  takeStep(): number {
    if (this.#lastAnswers) throw attemptEnded();
    const step = this.#meter.takeStep();
    // Steps of other lanes may still be under way; the attempt ends with the last of them.
    if (step === undefined) throw attemptEnded();
    this.#openSteps++;
    return step;
  }

  takeLook(): boolean {
    return this.#meter.takeLook();
  }

  stepEnded({ verdict, stoppedBy }: { verdict: Verdict; stoppedBy: string | undefined }): void {
    this.#openSteps--;
    const { used, limit = 0 } = this.#meter.budget.steps;
    if (stoppedBy !== undefined) this.close({ by: 'guard', guard: stoppedBy });
    else if (verdict === 'pass' && !this.#untilDone) this.close({ by: 'pass' });
    else if (used >= limit && this.#openSteps === 0) this.close({ by: 'cap', sentence: `All ${used} steps were used` });
  }

  whileWaiting<T>(lane: string, work: () => Promise<T>): Promise<T> {
    return this.#clock.whileWaiting(lane, work);
  }

  /** The time is used up. A call that is under way may still be answered; that it was not is the server's fault, not the agent's. */
  async #endByTime(): Promise<void> {
    const fault = await this.openCalls.fault(ATTEMPT_LIMITS.answerMs);
    this.#timedOut = !fault && !this.isEnded();
    this.fail(fault ?? TIME_IS_UP);
  }

  /** Also while the agent settles: a delegation that was cut off gets its result. */
  #say(given: Said): void {
    if (this.#isWritten) throw attemptEnded();
    const parsed = (saidSchemas[Object(given).type] ?? messageSchema).safeParse(given);
    if (!parsed.success) {
      const sent = String(JSON.stringify(given)).slice(0, 200);
      const message = `The agent said what is neither a message nor a usage, a turn or a warning: ${sent}`;
      throw this.fail(new WaymarkError({ code: 'adapter_error', message }));
    }
    const said = parsed.data;
    if (said.type === 'usage') {
      this.journal.append(said);
      const sentence = this.#meter.charge(said);
      if (sentence !== undefined) this.close({ by: 'cap', sentence });
    } else if (said.type === 'turn') this.journal.append(said);
    else if (said.type === 'warning') this.journal.append(boundMessage(said));
    else this.journal.append({ type: 'message', message: boundMessage(said) });
  }
}

const HELD =
  'The contract held at the start, before the agent had done anything: that it passes does not show that the agent did something.';

/** A call that the agent does not wait for must not end the process when the attempt ends under it. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
