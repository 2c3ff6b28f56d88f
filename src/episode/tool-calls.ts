/** The calls of one lane. Each call is written to the journal before it is sent and when it is answered. */
import { createHash } from 'node:crypto';
import { boundText, type EventOf, isStep } from '../events/index.ts';
import { actionOfCall, type ToolClient, type ToolResult } from '../tools/index.ts';
import type { StepOptions, ToolCall } from './agent.ts';
import { type AttemptContext, attemptEnded } from './attempt-context.ts';
import { GuardedActions } from './guarded-actions.ts';
import { refusal } from './refusal.ts';

export interface CallAbout {
  by: 'agent' | 'harness';
  /** 0: no step. */
  step?: number;
  look?: true;
  /** A further call of the step's move. */
  continues?: true;
  canonical?: unknown;
  /** Why the call can't be made: it is answered so, and not sent. */
  untried?: StepOptions['untried'];
  /** The agent's call, where recovery search has chosen another one: the agent is told so with the result. */
  insteadOf?: ToolCall;
}

export interface MadeCall {
  callId: string;
  result: ToolResult;
  /** The approval that the call needed and did not have: it was not sent. */
  stoppedBy: string | undefined;
}

export class ToolCalls {
  readonly #attempt: AttemptContext;
  readonly #client: ToolClient;
  readonly #lane: { executorId?: string };
  readonly #guards: GuardedActions;
  /** When the last call was sent. */
  lastAt: number;

  constructor(attempt: AttemptContext, client: ToolClient, lane: { executorId?: string }) {
    this.#attempt = attempt;
    this.#client = client;
    this.#lane = lane;
    this.#guards = new GuardedActions(attempt.task.guardedActions);
    this.lastAt = attempt.now();
  }

  async make(input: ToolCall, about: CallAbout): Promise<MadeCall> {
    const { server, journal, scorer, secrets, allowGuarded } = this.#attempt;
    const { by, step = 0, look, continues, canonical, untried, insteadOf } = about;
    if (this.#attempt.isEnded()) throw attemptEnded();
    const { tool, arguments: args = {} } = input;
    const guard = this.#guards.needed(input, canonical);
    const observes = server.observes({ tool, arguments: args });
    const callId = this.#attempt.nextCallId();
    server.witness.mark();
    this.lastAt = this.#attempt.now();
    const call = journal.append({
      type: 'tool_call',
      callId,
      step,
      tool,
      arguments: args,
      by,
      ...(look ? { look } : {}),
      ...(continues ? { continues } : {}),
      observes,
      ...(canonical === undefined ? {} : { canonical }),
      ...this.#lane,
      ...(guard === undefined ? {} : { destructive: true, gated: allowGuarded }),
      ...(insteadOf ? { recovered: true as const } : {}),
    });
    scorer.onCall(call, isStep(call));
    const stoppedBy = allowGuarded ? undefined : guard;
    const unknown = secrets.unknownIn(args);
    const refused = refusal({
      guard: stoppedBy,
      unknown,
      names: secrets.names,
      notALook: look && !observes ? tool : undefined,
      untried,
    });
    const { extra, ...answer } = refused ?? (await this.#send(callId, tool, args, step > 0));
    const result = insteadOf ? withNote(answer, substitution(insteadOf, { tool, arguments: args })) : answer;
    this.#guards.onAnswer(result.text);
    scorer.onResult(this.#answered(callId, result), step > 0);
    const status = extra && step > 0 ? server.progress({ ...answer, extra }) : undefined;
    if (status !== undefined) scorer.onProgress(journal.append({ type: 'progress', callId, status, ...this.#lane }));
    return { callId, result, stoppedBy };
  }

  #answered(callId: string, result: ToolResult): EventOf<'tool_result'> {
    const errorKind = result.isError ? (result.errorKind ?? this.#attempt.server.failureKind(result)) : undefined;
    return this.#attempt.journal.append({
      type: 'tool_result',
      callId,
      isError: result.isError,
      ...(errorKind === undefined ? {} : { errorKind }),
      ...boundText(result.text),
      contentTypes: [...result.blocks],
      durationMs: round(result.durationMs),
      digest: digestOf(result.text),
      ...this.#lane,
    });
  }

  /** The only place where secrets are what they are: put in on the way out, taken out on the way back. */
  async #send(callId: string, tool: string, args: Record<string, unknown>, isScored: boolean): Promise<ToolResult> {
    const { secrets, signal, callTimeoutMs: timeoutMs } = this.#attempt;
    const began = performance.now();
    const answered = this.#attempt.openCalls.add({
      tool,
      isWait: actionOfCall(tool, args) === 'wait',
      ping: (limitMs) => this.#client.answers(limitMs),
    });
    try {
      return secrets.result(await this.#client.call(tool, secrets.resolve(args), { signal, timeoutMs }));
    } catch (error) {
      // No answer came, and none will: the journal says so, so that no call stands in it without an end.
      const event = this.#attempt.journal.append({
        type: 'tool_result',
        callId,
        isError: false,
        aborted: true,
        ...boundText(''),
        contentTypes: [],
        durationMs: round(performance.now() - began),
        digest: digestOf(''),
        ...this.#lane,
      });
      this.#attempt.scorer.onResult(event, isScored);
      throw error;
    } finally {
      answered();
    }
  }
}

function substitution(insteadOf: ToolCall, made: ToolCall): string {
  const said = ({ tool, arguments: args = {} }: ToolCall): string => `${tool} ${JSON.stringify(args).slice(0, 500)}`;
  return `The harness did not make your call (${said(insteadOf)}). It made this call instead: ${said(made)}. Its result:`;
}

function withNote(result: ToolResult, note: string): ToolResult {
  return {
    ...result,
    text: `${note}\n${result.text}`,
    texts: [note, ...result.texts],
    blocks: ['text', ...result.blocks],
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
