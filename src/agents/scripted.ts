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

  constructor(transcript: Transcript, profile: ServerProfile) {
    this.#transcript = transcript;
    this.#profile = profile;
  }

  async next(context: AdapterContext): Promise<NextMove> {
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
    return 'next move';
  }

  #check({ expect }: Move, result: ToolResult | undefined): void {
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
    return { done: true, ...(answer === undefined ? {} : { answer }) };
  }
}

function mismatch(message: string): WaymarkError {
  return new WaymarkError({ code: 'transcript_mismatch', message });
}
