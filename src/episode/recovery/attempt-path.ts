/** The way that an attempt has taken so far, folded from its journal: what a replay makes again, and whether the attempt is in trouble. */
import { Attempts, type EventOf, type JournalEvent } from '../../events/index.ts';
import { appendAttempt, EMPTY_LEDGER, type TrajectoryNode } from '../../reward/index.ts';
import type { ToolCall } from '../agent.ts';

export interface PathCall {
  call: ToolCall;
  canonical: unknown;
  /** No step: a look of the agent, or a call by which the harness found an element. */
  isLook: boolean;
  /** The page before the next call; undefined after a look. */
  after?: EventOf<'evidence'>;
}

export type Trouble = 'error' | 'stall';

/** So many steps in a row that earned nothing are a stall. */
const STALL_STEPS = 3;

export class AttemptPath {
  readonly #calls: PathCall[] = [];
  readonly #nodes: TrajectoryNode[] = [];
  readonly #attempts = new Attempts();
  #ledger = EMPTY_LEDGER;
  #rewards: number[] = [];
  /** Of the last step. */
  #stepId: string | undefined;
  #hasFailed = false;
  #hasBegun = false;
  #start: EventOf<'evidence'> | undefined;
  #obstacle: string | undefined;

  /** The agent's calls, and those of the harness after the start page was shown. */
  get calls(): readonly PathCall[] {
    return this.#calls;
  }

  /** The steps so far, for the ranker. */
  get history(): readonly TrajectoryNode[] {
    return this.#nodes;
  }

  /** Why the path can't be replayed, as a sentence. */
  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  /** The newest page. */
  get page(): EventOf<'evidence'> | undefined {
    return this.#calls.findLast(({ after }) => after !== undefined)?.after ?? this.#start;
  }

  get trouble(): Trouble | undefined {
    if (this.#hasFailed) return 'error';
    const last = this.#rewards.slice(-STALL_STEPS);
    return last.length === STALL_STEPS && last.every((score) => score <= 0) ? 'stall' : undefined;
  }

  add(event: JournalEvent): void {
    if ('executorId' in event && event.executorId !== undefined && event.type !== 'turn' && event.type !== 'usage')
      this.#obstacle ??= 'The attempt has several lanes.';
    for (const attempt of this.#attempts.add(event)) {
      const { state, node } = appendAttempt(this.#ledger, attempt);
      this.#ledger = state;
      this.#nodes.push(node);
    }
    switch (event.type) {
      case 'tool_call':
        if (this.#hasBegun) this.#call(event);
        break;
      case 'tool_result':
        if (event.callId === this.#stepId) this.#hasFailed = event.isError;
        break;
      case 'evidence':
        this.#evidence(event);
        break;
      case 'contract_eval':
        this.#hasBegun = true;
        break;
      case 'reward':
        if (event.amended) this.#rewards.pop();
        this.#rewards = [...this.#rewards, event.score].slice(-STALL_STEPS);
        break;
      default:
    }
  }

  #call(event: EventOf<'tool_call'>): void {
    const { callId, step, tool, arguments: args, canonical, destructive, cut } = event;
    if (destructive) this.#obstacle ??= 'A guarded action was made, which is never replayed.';
    if (cut) this.#obstacle ??= 'A call was too long for the journal, and can not be replayed.';
    if (step > 0) this.#stepId = callId;
    this.#calls.push({ call: { tool, arguments: Object(args) }, canonical, isLook: step === 0 });
  }

  #evidence(event: EventOf<'evidence'>): void {
    const last = this.#calls.at(-1);
    if (last) last.after = event;
    else this.#start = event;
  }
}
