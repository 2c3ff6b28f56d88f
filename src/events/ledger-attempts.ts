/**
 * Attempts for the trajectory ledger, from events alone: one for each step, when its reward closes it, and one for each call that the end of the
 * episode cut off. An attempt after a failure that makes progress is the recovery from it. Each lane has its own failures and recoveries.
 */

import { type Attempt, appendAttempt, EMPTY_LEDGER } from '../reward/index.ts';
import { type EventOf, isStep, type JournalEvent, laneOf } from './events.ts';

type Reward = NonNullable<Attempt['reward']>;

interface Lane {
  call: EventOf<'tool_call'> | undefined;
  /** The newest call of its move. */
  newestId: string | undefined;
  result: EventOf<'tool_result'> | undefined;
  isFailing: boolean;
}

export class Attempts {
  readonly #lanes = new Map<string, Lane>();

  /** The attempts that this event has closed; more than one only at the end, where several lanes had a call open. */
  add(event: JournalEvent): Attempt[] {
    switch (event.type) {
      case 'tool_call': {
        const lane = this.#lane(event);
        if (event.continues) lane.newestId = event.callId;
        if (!isStep(event)) return [];
        lane.call = event;
        lane.newestId = event.callId;
        lane.result = undefined;
        return [];
      }
      case 'tool_result': {
        const lane = this.#lane(event);
        if (!lane.call || event.callId !== lane.newestId) return [];
        if (event.aborted) return aborted(lane);
        lane.result = event;
        return [];
      }
      case 'reward':
        return scored(this.#lane(event), event);
      case 'stop':
        return this.end();
      default:
        return [];
    }
  }

  /** What the end found unfinished. */
  end(): Attempt[] {
    return [...this.#lanes.values()].flatMap(aborted);
  }

  #lane(event: { executorId?: string | undefined }): Lane {
    const id = laneOf(event);
    let lane = this.#lanes.get(id);
    if (!lane) {
      lane = { call: undefined, newestId: undefined, result: undefined, isFailing: false };
      this.#lanes.set(id, lane);
    }
    return lane;
  }
}

function scored(lane: Lane, { callId, score, classification }: EventOf<'reward'>): Attempt[] {
  const { call, result } = lane;
  if (!call || !result || callId !== call.callId) return [];
  lane.call = undefined;
  const isRecovery = lane.isFailing && !result.isError && score > 0;
  lane.isFailing = result.isError || (lane.isFailing && !isRecovery);
  return [
    {
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
    },
  ];
}

function aborted(lane: Lane): Attempt[] {
  const { call, result } = lane;
  lane.call = undefined;
  if (!call) return [];
  const failureKind = result?.isError ? (result.errorKind ?? 'unknown') : undefined;
  return [{ tool: call.tool, arguments: call.arguments, status: 'aborted', failureKind }];
}

/** The ledger's lines, made again from a journal: what a live episode wrote. */
export function ledgerLines(events: readonly JournalEvent[]): string {
  const attempts = new Attempts();
  let state = EMPTY_LEDGER;
  let lines = '';
  for (const attempt of [...events.flatMap((event) => attempts.add(event)), ...attempts.end()]) {
    const added = appendAttempt(state, attempt);
    state = added.state;
    lines += added.line ?? '';
  }
  return lines;
}
