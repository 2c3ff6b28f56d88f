/** One attempt at a task: its caps, its lanes, and how it ends. The first thing that ends it decides; from then on no call is made. */
import type { EpisodeTaskSpec } from '../cases/index.ts';
import { type Contract, type Facts, type FactsNeeded, factsNeeded, type Verdict } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import {
  AttemptScorer,
  boundMessage,
  MAIN_LANE,
  type Message,
  messageSchema,
  type UsageMessage,
  usageMessageSchema,
} from '../events/index.ts';
import type { Journal } from '../journal/index.ts';
import type { Session, SessionTask } from './agent.ts';
import { type AttemptContext, attemptEnded } from './attempt-context.ts';
import { BudgetMeter } from './budget-meter.ts';
import { Deadline } from './deadline.ts';
import { type Ending, endingOf, TIME_IS_UP } from './endings.ts';
import { EvidenceLog } from './evidence-log.ts';
import { Lane } from './lane.ts';
import { ATTEMPT_LIMITS } from './limits.ts';
import type { PictureStore } from './picture-store.ts';
import { Secrets } from './secrets.ts';
import type { ServerUnderTest } from './under-test.ts';

export interface AttemptOptions {
  task: EpisodeTaskSpec;
  server: ServerUnderTest;
  journal: Pick<Journal, 'append'>;
  pictures?: PictureStore | undefined;
  now: () => number;
  /** The agent must say that it is done, and a contract that holds ends nothing. */
  untilDone?: boolean | undefined;
  /** The values of the task's secrets. */
  secrets?: Secrets | undefined;
  /** Actions that need approval are let through. */
  allowGuarded?: boolean | undefined;
  callTimeoutMs?: number | undefined;
  exemplars?: NonNullable<Facts['exemplars']> | undefined;
  /** Caps on what `say` is told. */
  maxTokens?: number | undefined;
  /** US dollars. */
  maxCost?: number | undefined;
}

const messageOrUsage = { message: messageSchema, usage: usageMessageSchema };

export class Attempt implements AttemptContext {
  readonly task: EpisodeTaskSpec;
  readonly server: ServerUnderTest;
  readonly journal: Pick<Journal, 'append'>;
  readonly pictures: PictureStore | undefined;
  readonly secrets: Secrets;
  readonly allowGuarded: boolean;
  readonly callTimeoutMs: number;
  readonly exemplars: NonNullable<Facts['exemplars']> | undefined;
  readonly contract: Contract;
  readonly needed: FactsNeeded;
  readonly scorer = new AttemptScorer();
  readonly evidence: EvidenceLog;
  readonly contractEnter: number;
  readonly main: Lane;
  readonly now: () => number;
  /** Resolves with what ended it. */
  readonly ended: Promise<Ending>;
  readonly #untilDone: boolean;
  readonly #deadline: Deadline;
  readonly #budget: BudgetMeter;
  readonly #controller = new AbortController();
  readonly #end = Promise.withResolvers<Ending>();
  readonly #lanes = new Map<string, Lane>();
  readonly #waiting = new Set<string>();
  #ending: Ending | undefined;
  #calls = 0;
  #openSteps = 0;
  #isWritten = false;

  constructor(options: AttemptOptions) {
    this.task = options.task;
    this.server = options.server;
    this.journal = options.journal;
    this.pictures = options.pictures;
    this.secrets = options.secrets ?? new Secrets();
    this.allowGuarded = options.allowGuarded === true;
    this.callTimeoutMs = options.callTimeoutMs ?? ATTEMPT_LIMITS.callTimeoutMs;
    this.exemplars = options.exemplars;
    this.contract = options.task.success;
    this.needed = factsNeeded(this.contract);
    this.now = options.now;
    this.contractEnter = options.now();
    this.evidence = new EvidenceLog(options.server.witness);
    this.ended = this.#end.promise;
    this.#untilDone = options.untilDone === true;
    this.#deadline = new Deadline(options.task.maxDurationMs, () => this.fail(TIME_IS_UP));
    const { maxTokens: tokens, maxCost: cost } = options;
    this.#budget = new BudgetMeter({ steps: options.task.maxSteps, tokens, cost }, this.#deadline);
    this.main = this.#addLane(MAIN_LANE, new Lane(MAIN_LANE, this, options.server.client));
    this.#deadline.run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get steps(): number {
    return this.#budget.steps.used;
  }

  /** The session that an agent gets for a lane. */
  session(lane: Lane = this.main): Session {
    const { id, title, goal, startUrl, maxSteps, secrets } = this.task;
    const task: SessionTask = { id, title, goal, startUrl, maxSteps, ...(secrets === undefined ? {} : { secrets }) };
    return {
      task,
      tools: lane.client.tools,
      signal: this.signal,
      budget: this.#budget,
      step: (call, { canonical } = {}) => handled(lane.step(call, canonical)),
      look: (call) => handled(lane.look(call)),
      say: (message) => this.#say(message),
      executor: async () => {
        throw new WaymarkError({
          code: 'executor_unsupported',
          message: 'Executors are not supported yet.',
        });
      },
    };
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

  fail(error: unknown): WaymarkError {
    this.close(endingOf(error, this.server));
    return error instanceof WaymarkError && error.code === 'attempt_ended' ? error : attemptEnded(error);
  }

  /** Settles when no lane has a call under way. */
  async idle(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.idle()));
  }

  /** The last look. Nothing is said or called any more. */
  async finish(timeoutMs: number): Promise<Verdict> {
    this.#isWritten = true;
    return this.main.finish(timeoutMs);
  }

  nextCallId(): string {
    return `c${++this.#calls}`;
  }

  takeStep(): number {
    const step = this.#budget.takeStep();
    // Steps of other lanes may still be under way; the attempt ends with the last of them.
    if (step === undefined) throw attemptEnded();
    this.#openSteps++;
    return step;
  }

  takeLook(): boolean {
    return this.#budget.takeLook();
  }

  stepEnded({ verdict, stoppedBy }: { verdict: Verdict; stoppedBy: string | undefined }): void {
    this.#openSteps--;
    const { used, limit = 0 } = this.#budget.steps;
    if (stoppedBy !== undefined) this.close({ by: 'guard', guard: stoppedBy });
    else if (verdict === 'pass' && !this.#untilDone) this.close({ by: 'pass' });
    else if (used >= limit && this.#openSteps === 0) this.close({ by: 'cap', sentence: `All ${used} steps were used` });
  }

  async whileWaiting<T>(lane: string, work: () => Promise<T>): Promise<T> {
    this.#waiting.add(lane);
    if (this.#waiting.size === this.#lanes.size) this.#deadline.pause();
    try {
      return await work();
    } finally {
      this.#waiting.delete(lane);
      this.#deadline.run();
    }
  }

  #addLane(id: string, lane: Lane): Lane {
    this.#lanes.set(id, lane);
    return lane;
  }

  /** Also while the agent settles: a delegation that was cut off gets its result. */
  #say(given: Message | UsageMessage): void {
    if (this.#isWritten) throw attemptEnded();
    const isUsage = Object(given).type === 'usage';
    const parsed = messageOrUsage[isUsage ? 'usage' : 'message'].safeParse(given);
    if (!parsed.success) {
      const sent = String(JSON.stringify(given)).slice(0, 200);
      const message = `The agent said what is neither a message nor a usage: ${sent}`;
      throw this.fail(new WaymarkError({ code: 'adapter_error', message }));
    }
    if (parsed.data.type === 'usage') {
      this.journal.append(parsed.data);
      const sentence = this.#budget.charge(parsed.data);
      if (sentence !== undefined) this.close({ by: 'cap', sentence });
    } else this.journal.append({ type: 'message', message: boundMessage(parsed.data) });
  }
}

/** A call that the agent does not wait for must not end the process when the attempt ends under it. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
