/** The delegations of an attempt: what an orchestrator asked of which executor, the steps that were taken for it, and what came back. */
import { type EventOf, isStep, type JournalEvent, laneOf } from './events.ts';
import type { Message } from './message.ts';

type Asked = Extract<Message, { type: 'delegation' }>;
type Answered = Extract<Message, { type: 'delegation_result' }>;

export interface Delegation {
  executorId: string;
  instruction: string;
  maxSteps?: number;
  status: Answered['status'];
  summary: string;
  /** Counted by the harness. What the agent says of itself is in the message. */
  stepsUsed: number;
  currentUrl?: string;
  /** The numbers of its steps. */
  steps: number[];
  /** Results with an error. */
  errors: number;
  /** The sum over its steps; null where none was scored. */
  reward: number | null;
  /** A step changed something: it was scored above zero. */
  hasEffect: boolean;
  /** Milliseconds since the start of the journal. */
  startedAt: number;
  endedAt: number;
}

/** Said of a delegation that has no result when the attempt ends, whichever agent made it. */
const ABORTED_SUMMARY = 'The attempt ended before the executor had answered.';

/** An executor works on one delegation at a time: a result belongs to the oldest open one of its executor. */
export class DelegationFold {
  readonly #all: Delegation[] = [];
  readonly #open: Delegation[] = [];
  /** The delegation that a call was made for. */
  readonly #byCall = new Map<string, Delegation>();
  readonly #urls = new Map<string, string>();
  #startTime: number | undefined;
  #time = 0;

  /** In the order in which they were made; those that are open are aborted at the newest event. */
  list(): Delegation[] {
    return this.#all.map((one) => (this.#open.includes(one) ? { ...one, endedAt: this.#time } : one));
  }

  /** Results for those that are open, as the attempt's end makes them. */
  abortedResults(): Answered[] {
    return this.#open.map(({ executorId, stepsUsed }) => {
      const currentUrl = this.#urls.get(executorId);
      return {
        type: 'delegation_result',
        executorId,
        summary: ABORTED_SUMMARY,
        status: 'aborted',
        stepsUsed,
        ...(currentUrl === undefined ? {} : { currentUrl }),
      };
    });
  }

  add(event: JournalEvent): void {
    this.#startTime ??= event.time;
    this.#time = event.time - this.#startTime;
    switch (event.type) {
      case 'message':
        if (event.message.type === 'delegation') this.#ask(event.message);
        else if (event.message.type === 'delegation_result') this.#answer(event.message);
        break;
      case 'tool_call':
        if (isStep(event)) this.#step(event);
        else if (event.continues) this.#continue(event);
        break;
      case 'tool_result': {
        const made = this.#byCall.get(event.callId);
        if (made && event.isError) made.errors++;
        break;
      }
      case 'evidence':
        this.#urls.set(laneOf(event), event.url);
        break;
      case 'reward': {
        const made = event.callId === undefined ? undefined : this.#byCall.get(event.callId);
        if (!made) break;
        made.reward = Math.round(((made.reward ?? 0) + (event.contribution ?? event.score)) * 10_000) / 10_000;
        made.hasEffect ||= event.score > 0;
        break;
      }
      default:
    }
  }

  #ask({ executorId, instruction, maxSteps }: Asked): void {
    const made: Delegation = {
      executorId,
      instruction,
      ...(maxSteps === undefined ? {} : { maxSteps }),
      status: 'aborted',
      summary: ABORTED_SUMMARY,
      stepsUsed: 0,
      steps: [],
      errors: 0,
      reward: null,
      hasEffect: false,
      startedAt: this.#time,
      endedAt: this.#time,
    };
    this.#all.push(made);
    this.#open.push(made);
  }

  #answer({ executorId, status, summary, currentUrl }: Answered): void {
    const at = this.#open.findIndex((one) => one.executorId === executorId);
    const [made] = at < 0 ? [] : this.#open.splice(at, 1);
    if (!made) return;
    const url = currentUrl ?? this.#urls.get(executorId);
    Object.assign(made, { status, summary, endedAt: this.#time, ...(url === undefined ? {} : { currentUrl: url }) });
  }

  #continue({ callId, step, ...call }: EventOf<'tool_call'>): void {
    const made = this.#all.findLast(({ executorId, steps }) => executorId === laneOf(call) && steps.includes(step));
    if (made) this.#byCall.set(callId, made);
  }

  #step({ callId, step, ...call }: EventOf<'tool_call'>): void {
    const made = this.#open.find(({ executorId }) => executorId === laneOf(call));
    if (!made) return;
    made.stepsUsed++;
    made.steps.push(step);
    this.#byCall.set(callId, made);
  }
}
