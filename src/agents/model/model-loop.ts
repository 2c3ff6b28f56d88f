/**
 * A model in a loop of tool calls on one lane: it is shown what its calls returned until it answers without a call. A single agent is one such
 * loop, an executor another. The harness observes and scores; nothing of that is here.
 */
import type { Session } from '../../episode/index.ts';
import { CallFailure, type Generation, type NamedTools, type OpenedModel } from '../../models/index.ts';
import { newRenderContext, render, type ServerProfile, type ToolResult } from '../../tools/index.ts';
import { Conversation } from './conversation.ts';
import type { ModelSettings } from './model-settings.ts';
import { modelTurn, type Thinker } from './model-turn.ts';
import { type CallOfModel, MAX_BAD_REPLIES, readReply } from './read-reply.ts';
import { picturesOf, type ShownResult, shownResult } from './shown-result.ts';

export interface ModelLoopOptions {
  readonly thinker: Thinker;
  readonly model: OpenedModel;
  readonly session: Session;
  readonly profile: ServerProfile;
  readonly instructions: string;
  readonly tools: NamedTools;
  readonly settings: ModelSettings;
  /** Tools of the agent's own that end the loop, by their name. */
  readonly endings?: Readonly<Record<string, (input: unknown) => LoopEnd>> | undefined;
}

export interface LoopBounds {
  /** The attempt's, or a shorter one: that of a delegation. */
  readonly signal: AbortSignal;
  /** Steps of this run of the loop; undefined: those of the attempt. */
  readonly maxSteps?: number | undefined;
}

/** `text`: the model's report, or the reason. */
export interface LoopEnd {
  readonly status: 'done' | 'blocked' | 'max_steps' | 'error';
  readonly text: string;
}

export class ModelLoop {
  readonly #options: ModelLoopOptions;
  readonly #conversation = new Conversation();
  #turns = 0;
  #steps = 0;

  constructor(options: ModelLoopOptions) {
    this.#options = options;
  }

  /** Steps that were taken, over all runs of the loop. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Tells the model something and lets it work. The conversation stays, so that it can be told more afterwards.
   *
   * @throws CallFailure when the provider failed; `attempt_ended` or the signal's reason when it was stopped.
   */
  async run(told: string, { signal, maxSteps = Number.POSITIVE_INFINITY }: LoopBounds): Promise<LoopEnd> {
    const last = this.#steps + maxSteps;
    this.#conversation.addUser(told);
    if (this.#turns === 0) await this.#showPage();
    for (let bad = 0; ; ) {
      const reply = await this.#ask(signal);
      if (!('text' in reply)) return { status: 'error', text: reply.reason };
      const { problem, calls } = this.#read(reply);
      bad = problem === undefined ? 0 : bad + 1;
      if (problem !== undefined && bad >= MAX_BAD_REPLIES) return this.#giveUp(problem);
      if (problem === undefined && calls.length === 0) return { status: 'done', text: reply.text };
      const end = await this.#make(calls, { signal, last, said: reply.text });
      if (end) return end;
      // Calls that could not be used have been answered in the reply itself; what is no call at all is answered here.
      if (problem !== undefined && reply.toolCalls.length === 0) this.#conversation.addUser(problem);
    }
  }

  /** The model's reply; or why the model itself can't go on, which is the agent's failure. */
  async #ask(signal: AbortSignal): Promise<Generation | { reason: string }> {
    const { session, tools, instructions, settings, model, thinker } = this.#options;
    // A step may have ended the attempt, and still has its result.
    signal.throwIfAborted();
    this.#leaveOut();
    const { messages } = this.#conversation;
    const request = { instructions, messages, tools: tools.set, temperature: settings.temperature };
    try {
      const reply = await modelTurn(request, { thinker, model, session, signal, turn: ++this.#turns });
      this.#conversation.addReply(reply.responseMessages, reply.usage);
      if (reply.text.trim() !== '') session.say({ type: 'assistant', content: reply.text, ...this.#executorId });
      return reply;
    } catch (error) {
      // A conversation that does not fit, or that the provider's filter refuses, is what the agent made of it.
      if (error instanceof CallFailure && error.fault === 'agent') return { reason: error.message };
      throw error;
    }
  }

  #leaveOut(): void {
    const { session, settings } = this.#options;
    const count = this.#conversation.fitInto(settings.contextTokens);
    if (count === 0) return;
    const what = count === 1 ? 'The oldest observation was' : `The ${count} oldest observations were`;
    const why = `the conversation is near ${settings.contextTokens} tokens`;
    session.say({ type: 'user', content: `[${what} left out: ${why}.]` });
  }

  #read(reply: Generation): ReturnType<typeof readReply> {
    const read = readReply(reply);
    if (read.error) this.#options.session.say({ type: 'error', ...read.error });
    return read;
  }

  #giveUp(problem: string): LoopEnd {
    const text = `${MAX_BAD_REPLIES} replies of the model in a row could not be used. The last: ${problem}`;
    this.#options.session.say({ type: 'error', content: text, errorCode: 'bad_replies' });
    return { status: 'error', text };
  }

  /** Makes the calls one after the other. @returns how the loop ends, where one of them ends it. */
  async #make(
    calls: readonly CallOfModel[],
    { signal, last, said }: { signal: AbortSignal; last: number; said: string },
  ): Promise<LoopEnd | undefined> {
    const { session, tools, settings, endings } = this.#options;
    const results: ShownResult[] = [];
    try {
      for (const call of calls) {
        const end = endings?.[call.toolName]?.(call.input);
        if (end) return end;
        if (this.#steps >= last) return { status: 'max_steps', text: said };
        signal.throwIfAborted();
        this.#steps++;
        const tool = tools.nameOf(call.toolName) ?? call.toolName;
        const result = await session.step({ tool, arguments: { ...Object(call.input) } });
        results.push(shownResult(call, result, settings.observe));
      }
    } finally {
      // An executor may be told more: a call without a result would make its whole conversation invalid.
      this.#conversation.addResults([...results, ...calls.slice(results.length).map(notMade)]);
    }
    if (results.length > 0 && results.every(({ pictures }) => pictures.length === 0)) await this.#showPage();
    return undefined;
  }

  /** A picture by the server's own tool, where the model sees the page. It is a look and not a step: the harness asks for it. */
  async #showPage(): Promise<void> {
    const { session, profile, settings } = this.#options;
    if (settings.observe === 'text') return;
    const plan = render({ action: 'screenshot' }, profile, newRenderContext(session));
    let next = plan.next();
    let result: ToolResult | undefined;
    while (!next.done) {
      const { tool, args } = next.value;
      result = await session.look({ tool, arguments: { ...args } });
      next = plan.next(result);
    }
    const pictures = result && !result.isError ? picturesOf(result) : [];
    this.#conversation.addPictures('The page now:', pictures);
    if (pictures.length > 0) return;
    const message = 'sentence' in next.value ? next.value.sentence : (result?.text ?? '').slice(0, 500);
    session.say({ type: 'warning', source: 'screenshot', message: `The model got no picture of the page: ${message}` });
  }

  get #executorId(): { executorId?: string } {
    const { executorId } = this.#options.thinker;
    return executorId === undefined ? {} : { executorId };
  }
}

function notMade({ toolCallId, toolName }: CallOfModel): ShownResult {
  return { toolCallId, toolName, text: 'Not made: the work ended here.', isError: true, pictures: [] };
}
