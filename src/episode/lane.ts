/**
 * One lane of an attempt: its tabs, its connection to the tool server, and the one step function. Every way to the tools goes through it:
 * budget, journal, the call itself, the witness's look, the contract's verdict, the reward, and the picture beside it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Verdict } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { MAIN_LANE } from '../events/index.ts';
import type { LaneConnection, ToolResult } from '../tools/index.ts';
import { type StepOptions, type ToolCall, toolCallSchema } from './agent.ts';
import { type AttemptContext, attemptEnded, type WantedCall } from './attempt-context.ts';
import { browserLost } from './faults.ts';
import { LanePictures } from './lane-pictures.ts';
import { ATTEMPT_LIMITS } from './limits.ts';
import { PageLooks } from './page-looks.ts';
import { refused } from './refusal.ts';
import { siteWall } from './site-wall.ts';
import { startPageFault, startPageShown } from './start-page.ts';
import { type MadeCall, ToolCalls } from './tool-calls.ts';

interface ChosenCall {
  call: ToolCall;
  canonical: unknown;
  /** The agent's own call, where the harness makes another one. */
  insteadOf?: ToolCall;
}

export class Lane {
  readonly id: string;
  readonly connection: LaneConnection;
  readonly #attempt: AttemptContext;
  readonly #calls: ToolCalls;
  readonly #looks: PageLooks;
  readonly #pictures: LanePictures;
  /** What goes on while the agent thinks: the picture of the last step, and further looks that tell noise from news. */
  #aside: { work: Promise<void>; thinking: AbortController } | undefined;
  /** The end of the lane's line of calls. */
  #turn: Promise<unknown> = Promise.resolve();
  #verdict: Verdict = 'inconclusive';
  /** Since when the newest verdict is a pass, if it is one. */
  #passedAt = 0;
  #hasActed = false;

  constructor(id: string, attempt: AttemptContext, connection: LaneConnection) {
    this.id = id;
    this.connection = connection;
    this.#attempt = attempt;
    const tag = id === MAIN_LANE ? {} : { executorId: id };
    this.#calls = new ToolCalls(attempt, connection.client, tag);
    this.#looks = new PageLooks(attempt, connection, tag);
    this.#pictures = new LanePictures(attempt, connection.pages, tag);
  }

  /** Its page shows something that was done: the start page, or a step. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  /** The newest verdict on this lane's page. */
  get verdict(): Verdict {
    return this.#verdict;
  }

  /** Why a model did not answer a question about the lane's page at the newest look. */
  get unanswered(): string | undefined {
    return this.#looks.last?.facts?.unavailable?.['answers'];
  }

  /** Why the newest look saw nothing: the page hangs, the machine is too busy, or the harness's own script failed in the page. */
  get unseen(): string | undefined {
    const { page, problem } = this.#looks.last ?? {};
    if (page === 'failed') return `The last look at the page failed: ${problem}`;
    return page === 'unresponsive' ? 'The page did not answer the last look.' : undefined;
  }

  /** What keeps the agent out of the site, by the newest look. */
  get wall(): string | undefined {
    return siteWall(this.#looks.last, this.#attempt.task);
  }

  /** The first look at a lane that an agent has opened. */
  async open(): Promise<void> {
    await this.#looks.first();
  }

  /** Shows the start page through the server's own tool. The contract is evaluated, but ends nothing here. */
  async start(): Promise<void> {
    const { server, task, journal } = this.#attempt;
    this.#hasActed = true;
    const plan = server.render({ action: 'navigate', url: task.startUrl });
    let failure: string | undefined;
    const warn = (message: string, callId?: string): void => {
      failure = message.slice(0, 500);
      journal.append({ type: 'warning', source: 'navigation', message: failure, ...(callId ? { callId } : {}) });
    };
    let next = plan.next();
    while (!next.done) {
      const { tool, args } = next.value;
      const { result, callId } = await this.#calls.make({ tool, arguments: { ...args } }, { by: 'harness' });
      if (result.isError) warn(result.text, callId);
      next = plan.next(result);
    }
    if (next.value.status !== 'done') warn(next.value.sentence);
    const shown = { attempt: this.#attempt, pages: this.connection.pages, failure };
    await this.#waiting(() => startPageShown(shown));
    await this.#waiting(() => this.#judge({ phase: 'start' }));
    const fault = startPageFault({ ...shown, wall: this.wall });
    if (fault) throw fault;
    this.#beginAside(undefined, false);
  }

  /** A call of the agent. Its number is reserved before it waits for its turn. */
  async step(input: ToolCall, { canonical, followUp, untried }: StepOptions = {}): Promise<ToolResult> {
    const call = this.#parse(input);
    const step = this.#attempt.takeStep();
    return this.#inTurn(async () => {
      // The last picture must show the last state, not what this call does to it.
      await this.#waiting(() => this.#endAside());
      this.#hasActed = true;
      const { insteadOf, ...made } = await this.#recovered({ call, canonical, step });
      const first = await this.#calls.make(made.call, {
        by: 'agent',
        step,
        canonical: made.canonical,
        ...(insteadOf ? { insteadOf } : { untried }),
      });
      const { callId } = first;
      const { result, stoppedBy } =
        insteadOf || !followUp ? first : await this.#continued(first, { canonical, step, followUp });
      const observes = this.#attempt.server.observes(made.call);
      const hasActed = !observes && !result.isError;
      const verdict = await this.#waiting(() => this.#judge({ phase: 'step', callId, hasActed }));
      this.#beginAside(callId, observes);
      // Servers answer a dead browser with ordinary errors; the harness knows better.
      if (!this.#attempt.server.isBrowserAlive()) throw browserLost('its connection ended');
      this.#attempt.stepEnded({ verdict, stoppedBy });
      return result;
    });
  }

  /** The further calls of a move. They belong to the step of its first call. */
  async #continued(
    made: MadeCall,
    { canonical, step, followUp }: { canonical: unknown; step: number; followUp: NonNullable<StepOptions['followUp']> },
  ): Promise<MadeCall> {
    let last = made;
    while (last.stoppedBy === undefined) {
      const next = followUp(last.result);
      if (next === undefined) break;
      last = await this.#calls.make(this.#parse(next), { by: 'agent', step, continues: true, canonical });
    }
    return last;
  }

  /** A call that only finds something out: no step, and nothing is judged by it. */
  async look(input: ToolCall): Promise<ToolResult> {
    const call = this.#parse(input);
    if (!this.#attempt.takeLook())
      return refused('look_limit', `All ${ATTEMPT_LIMITS.looks} looks of the attempt are used. Nothing was done.`);
    return this.#inTurn(async () => {
      await this.#waiting(() => this.#endAside());
      return (await this.#calls.make(call, { by: 'agent', look: true })).result;
    });
  }

  /** A further look at the page between two steps. */
  async lookAgain(): Promise<void> {
    await this.#endAside();
    await this.#looks.again();
  }

  /** Settles when no call of the lane is under way. */
  async idle(): Promise<void> {
    await this.#turn;
  }

  /** Settles when nothing goes on beside its calls any more, or when the time is over: what hangs beside a fault must not delay the end. */
  async quiet(timeoutMs: number): Promise<void> {
    await Promise.race([this.#endAside(), new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  }

  /** The last look, everything read anew; and the last picture, awaited. Both within the time given. */
  async finish(timeoutMs: number): Promise<Verdict> {
    // What was seen to pass must still do so when the page has had time to go on.
    const leftMs = this.#verdict === 'pass' ? this.#passedAt + ATTEMPT_LIMITS.passHoldsMs - performance.now() : 0;
    if (leftMs > 0) await delay(Math.min(leftMs, timeoutMs));
    await this.#judge({ phase: 'final', full: true, timeoutMs });
    await this.#pictures.take({ dom: this.#dom, mayReuse: true, timeoutMs });
    return this.#verdict;
  }

  get #dom(): string | undefined {
    return this.#looks.last?.digests?.dom;
  }

  async #judge(about: Omit<Parameters<PageLooks['judge']>[0], 'lastToolCall'>): Promise<Verdict> {
    const hadPassed = this.#verdict === 'pass';
    this.#verdict = await this.#looks.judge({ ...about, lastToolCall: this.#calls.lastAt });
    if (!hadPassed) this.#passedAt = performance.now();
    return this.#verdict;
  }

  /** With recovery search: the agent's call, or the better one that was found. Executors are not searched for. */
  async #recovered(wanted: WantedCall): Promise<ChosenCall> {
    const { recovery, server } = this.#attempt;
    const action =
      recovery && this.id === MAIN_LANE
        ? await this.#waiting(() => recovery.instead(wanted, this.#attempt))
        : undefined;
    if (!action) return wanted;
    const plan = server.render(action);
    let next = plan.next();
    while (!next.done) {
      const { tool, args, purpose } = next.value;
      const call = { tool, arguments: { ...args } };
      if (purpose === 'act') return { call, canonical: action, insteadOf: wanted.call };
      next = plan.next((await this.#calls.make(call, { by: 'harness' })).result);
    }
    const why = 'sentence' in next.value ? ` ${next.value.sentence}` : '';
    const message = `The action that recovery search has chosen could not be carried out; the agent's call was made.${why}`;
    this.#attempt.journal.append({ type: 'warning', source: 'recovery', message });
    return wanted;
  }

  #waiting<T>(work: () => Promise<T>): Promise<T> {
    return this.#attempt.whileWaiting(this.id, work);
  }

  #beginAside(callId: string | undefined, mayReuse: boolean): void {
    const thinking = new AbortController();
    const work = this.#pictures
      .take({ callId, dom: this.#dom, mayReuse })
      // A picture is a painted frame; without one, what the call has set off may still be to come.
      .then((isPainted) => this.#looks.again({ afterPaint: !isPainted && !mayReuse }))
      .then(() => this.#looks.watch(thinking.signal));
    // A journal that can't be written says so at the next step, where it is awaited.
    work.catch(() => {});
    this.#aside = { work, thinking };
  }

  async #endAside(): Promise<void> {
    this.#aside?.thinking.abort();
    await this.#aside?.work;
    this.#aside = undefined;
  }

  /** One call after the other. What goes wrong ends the attempt, whatever the agent makes of it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(async () => {
      if (this.#attempt.isEnded()) throw attemptEnded();
      try {
        return await work();
      } catch (error) {
        throw this.#attempt.fail(error);
      }
    });
    // The caller of this step gets the error; the next step only waits for its turn.
    this.#turn = done.catch(() => {});
    return done;
  }

  #parse(input: ToolCall): ToolCall {
    if (this.#attempt.isEnded()) throw attemptEnded();
    const parsed = toolCallSchema.safeParse(input);
    if (parsed.success) return parsed.data;
    const sent = String(JSON.stringify(input)).slice(0, 200);
    throw this.#attempt.fail(
      new WaymarkError({ code: 'adapter_error', message: `The agent made a call that is none: ${sent}` }),
    );
  }
}
