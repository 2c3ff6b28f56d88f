/**
 * Attempts for the trajectory ledger, from events alone: one for each step, when its reward closes it, and one for the call that the end of the
 * episode cut off. An attempt after a failure that gets on is the recovery from it.
 */

import { type Attempt, appendAttempt, EMPTY_LEDGER } from '../reward/index.ts';
import type { EventOf, JournalEvent } from './events.ts';

type Reward = NonNullable<Attempt['reward']>;

export class Attempts {
  #call: EventOf<'tool_call'> | undefined;
  #result: EventOf<'tool_result'> | undefined;
  #isFailing = false;

  /** The attempt that this event has closed. */
  add(event: JournalEvent): Attempt | undefined {
    switch (event.type) {
      case 'tool_call':
        if (event.by !== 'agent') return undefined;
        this.#call = event;
        this.#result = undefined;
        return undefined;
      case 'tool_result':
        if (event.callId === this.#call?.callId) this.#result = event;
        return undefined;
      case 'reward':
        return this.#scored(event);
      case 'stop':
        return this.end();
      default:
        return undefined;
    }
  }

  #scored({ callId, score, classification }: EventOf<'reward'>): Attempt | undefined {
    const call = this.#call;
    const result = this.#result;
    if (!call || !result || callId !== call.callId) return undefined;
    this.#call = undefined;
    const isRecovery = this.#isFailing && !result.isError && score > 0;
    this.#isFailing = result.isError || (this.#isFailing && !isRecovery);
    return {
      tool: call.tool,
      arguments: call.arguments,
      status: result.isError
        ? 'error'
        : classification === 'no_progress'
          ? 'no_progress'
          : isRecovery
            ? 'recovered'
            : 'success',
      failureKind: result.isError ? (result.errorKind ?? 'unknown') : undefined,
      recoveryTool: isRecovery ? call.tool : undefined,
      reward: { score, classification: classification as Reward['classification'] },
    };
  }

  /** What the end found unfinished. */
  end(): Attempt | undefined {
    const call = this.#call;
    this.#call = undefined;
    if (!call) return undefined;
    const { isError, errorKind } = this.#result ?? {};
    const failureKind = isError ? (errorKind ?? 'unknown') : undefined;
    return { tool: call.tool, arguments: call.arguments, status: 'aborted', failureKind };
  }
}

/** The ledger's lines, made again from a journal: what a live episode wrote. */
export function ledgerLines(events: readonly JournalEvent[]): string {
  const attempts = new Attempts();
  let state = EMPTY_LEDGER;
  let lines = '';
  for (const attempt of [...events.map((event) => attempts.add(event)), attempts.end()]) {
    if (!attempt) continue;
    const added = appendAttempt(state, attempt);
    state = added.state;
    lines += added.line ?? '';
  }
  return lines;
}
