/** The agent that replays a transcript: deterministic, no model, no network. */
import type { Adapter, AdapterContext, NextMove } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import {
  newRenderContext,
  type Plan,
  type RenderEnd,
  render,
  type ServerProfile,
  type ToolResult,
} from '../tools/index.ts';
import type { Move, Transcript } from './transcript.ts';

export interface ScriptedOptions {
  transcript: Transcript;
  profile: ServerProfile;
}

/** @example runEpisode(task, scripted({ transcript, profile }), server, options) */
export function scripted({ transcript, profile }: ScriptedOptions): Adapter {
  return new ScriptedAgent(transcript, profile);
}

class ScriptedAgent implements Adapter {
  readonly kind = 'scripted';
  readonly #transcript: Transcript;
  readonly #profile: ServerProfile;
  #context: ReturnType<typeof newRenderContext> | undefined;
  #at = 0;
  #plan: Plan<RenderEnd> | undefined;
  #isWaiting = false;
  /** Actions that could not be tried: an element was not there to be named. */
  readonly #untried: string[] = [];

  constructor(transcript: Transcript, profile: ServerProfile) {
    this.#transcript = transcript;
    this.#profile = profile;
  }

  async next(context: AdapterContext): Promise<NextMove> {
    const { servers } = this.#transcript;
    if (servers && !servers.includes(this.#profile.name)) {
      return { done: true, note: `The transcript is for ${servers.join(', ')}, not for ${this.#profile.name}.` };
    }
    let result = this.#isWaiting ? context.last?.result : undefined;
    for (;;) {
      const move = this.#transcript.moves[this.#at];
      if (!move) return this.#done();
      const next = 'call' in move ? this.#ownCall(move, result) : await this.#planned(move, result, context);
      if (next === 'next move') {
        this.#check(move, result);
        this.#at++;
        this.#isWaiting = false;
        result = undefined;
        continue;
      }
      this.#isWaiting = true;
      return next;
    }
  }

  #ownCall(move: Extract<Move, { call: unknown }>, result: ToolResult | undefined): NextMove | 'next move' {
    return result ? 'next move' : move.call;
  }

  /** An action may be several calls of the server; looking for an element is no step. */
  async #planned(
    move: Extract<Move, { action: unknown }>,
    result: ToolResult | undefined,
    context: AdapterContext,
  ): Promise<NextMove | 'next move'> {
    this.#context ??= newRenderContext({ tools: context.tools });
    let step: IteratorResult<{ tool: string; args: Readonly<Record<string, unknown>>; purpose: string }, RenderEnd>;
    if (this.#plan && result) step = this.#plan.next(result);
    else {
      this.#plan = render(move.action, this.#profile, this.#context);
      step = this.#plan.next();
    }
    while (!step.done) {
      const call = { tool: step.value.tool, arguments: { ...step.value.args } };
      if (step.value.purpose === 'act') return { ...call, canonical: move.action };
      step = this.#plan.next(await context.locate(call));
    }
    this.#plan = undefined;
    if (step.value.status === 'unsupported') return { done: true, note: step.value.sentence };
    if (step.value.status === 'failed') this.#notTried(move, step.value.sentence);
    return 'next move';
  }

  /** Where the server has to be asked first how it names the element, an element that is not there is found out before the action. */
  #notTried(move: Move, sentence: string): void {
    this.#untried.push(`Move ${this.#at + 1} could not be tried: ${sentence}`);
    this.#check(move, { isError: true, text: sentence });
  }

  #check({ expect }: Move, result: Pick<ToolResult, 'isError' | 'text'> | undefined): void {
    if (!expect || !result) return;
    const at = `Move ${this.#at + 1} of the transcript`;
    if (expect.isError !== undefined && expect.isError !== result.isError) {
      throw mismatch(
        `${at} expected ${expect.isError ? 'an error' : 'no error'}, but the server answered: ${result.text.slice(0, 200)}`,
      );
    }
    if (expect.contains !== undefined && !result.text.includes(expect.contains)) {
      throw mismatch(`${at} expected "${expect.contains}" in the answer, which is: ${result.text.slice(0, 200)}`);
    }
  }

  #done(): NextMove {
    const { answer } = this.#transcript;
    const note = this.#untried.join(' ');
    return { done: true, ...(answer === undefined ? {} : { answer }), ...(note === '' ? {} : { note }) };
  }
}

function mismatch(message: string): WaymarkError {
  return new WaymarkError({ code: 'transcript_mismatch', message });
}
