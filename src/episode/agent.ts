/**
 * The seam between an agent and the harness. An agent is a caller: it runs until it is done, and reaches the browser through its session only.
 * Budgets, journal, evidence, contract, reward and pictures hang on the session, so that an agent brings its own thinking and nothing else.
 */
import { z } from 'zod';
import type { EpisodeTaskSpec } from '../cases/index.ts';
import type { Said } from '../events/index.ts';
import type { ToolInfo, ToolResult } from '../tools/index.ts';

export const toolCallSchema = z.strictObject({
  tool: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
/** A call in the server's own words. */
export type ToolCall = z.input<typeof toolCallSchema>;

export const agentOutcomeSchema = z.strictObject({
  /** The answer, for tasks that ask for one. */
  answer: z.string().optional(),
  /** Why the agent gave up, for the report. */
  note: z.string().optional(),
  /** A limit of the agent's own that ran out, as a sentence without its full stop: the attempt ends as `max_steps`. */
  exhausted: z.string().min(1).optional(),
});
/** What an agent returns: it is done, whether or not it has an answer. */
export type AgentOutcome = z.input<typeof agentOutcomeSchema>;

/**
 * @example
 * const clicker: Agent = {
 *   kind: 'clicker',
 *   async run(session) {
 *     const { text } = await session.step({ tool: 'read_page' });
 *     await session.step({ tool: 'interact', arguments: { action: 'click', text: 'Next' } });
 *     return { answer: text.slice(0, 100) };
 *   },
 * };
 */
export interface Agent {
  /** Its pattern, for reports: `scripted`, `single`, `external`, … */
  readonly kind: string;
  /** What has a say in its results, for the journal: models, limits. Never a secret. */
  readonly config?: unknown;
  /** Environment variables whose values it uses, keys above all: they are taken out of every file of its attempts, wherever they turn up. */
  readonly keyVariables?: readonly string[];
  /** Returning means done. What it throws while the attempt goes on ends the attempt as `adapter_error`. */
  run(session: Session): Promise<AgentOutcome>;
  /**
   * Ends what the agent has started, such as processes. Awaited after `run` and before the last look, however the attempt ended: the time
   * that it takes is not the agent's, who was done before.
   */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** The part of the task that an agent sees: neither the contract nor a way to fulfil it. `secrets`: names that a call may use as `{{secret:NAME}}`. */
export type SessionTask = Readonly<
  Pick<EpisodeTaskSpec, 'id' | 'title' | 'goal' | 'startUrl' | 'maxSteps' | 'secrets'>
>;

export interface Allowance {
  readonly used: number;
  /** Undefined where there is none. */
  readonly limit: number | undefined;
}

export interface Spending extends Allowance {
  /** False where a usage did not say how much it was: `used` is then the least that it can be. */
  readonly isComplete: boolean;
}

/** What the attempt has used so far. Steps count when they are admitted, whichever lane takes them. */
export interface Budget {
  readonly steps: Allowance;
  readonly looks: Allowance;
  /** Milliseconds. The harness's own looking is not counted. */
  readonly time: Allowance;
  /** Input and output tokens, as reported to `say`. */
  readonly tokens: Spending;
  /** US dollars, as reported to `say`. */
  readonly cost: Spending;
}

export interface StepOptions {
  /** The action that the call was made from, for the journal. */
  canonical?: unknown;
  /**
   * The next call of the same move, from the result of the last; undefined ends the move. A server may need several calls for one action:
   * together they are one step, which is looked at and scored when the last one is answered.
   */
  followUp?: ((result: ToolResult) => ToolCall | undefined) | undefined;
  /**
   * Why the action can't be tried, such as an element that is not there. The step fails for that reason, and nothing is sent: another server,
   * which finds elements itself, would have answered with the same failure.
   */
  untried?: { kind: string; sentence: string } | undefined;
}

/**
 * One lane of an attempt: a set of tabs with a connection to the tool server. Calls of one lane are made one after the other.
 *
 * @example
 * async run(session) {
 *   const [left, right] = await Promise.all([session.executor('left'), session.executor('right')]);
 *   await Promise.all([left.step({ tool: 'navigate', arguments: { url } }), right.step({ tool: 'read_page' })]);
 *   session.say({ type: 'assistant', content: 'Both have begun.' });
 *   return {};
 * }
 */
export interface Session {
  readonly task: SessionTask;
  readonly tools: readonly ToolInfo[];
  /** Aborted when the attempt has ended, for whatever reason. */
  readonly signal: AbortSignal;
  readonly budget: Budget;
  /**
   * Makes a call: a step. Gives the tool's own result (of the last call, where `followUp` gave further ones), errors included; never a verdict or a score. Rejects with `attempt_ended` once the
   * attempt has ended: the contract passed, a cap was reached, or something was lost.
   */
  step(call: ToolCall, options?: StepOptions): Promise<ToolResult>;
  /** Makes a call that only observes, by what the server's profile says: no step, nothing is scored. Other calls get an error as their result. */
  look(call: ToolCall): Promise<ToolResult>;
  /** Writes into the journal: a message, what a call of a model used, when it began and ended, or a warning. */
  say(said: Said): void;
  /**
   * The lane of this name, opened when it is first asked for, on a blank tab in a window of its own. Rejects with `executor_unsupported`
   * where the tool server can't be started twice on one browser, and with `executor_limit` where there are too many lanes already.
   */
  executor(id: string): Promise<Session>;
}
