/**
 * `messages.jsonl`: a fold of the journal. A result waits for the picture that is taken after its call, and what follows it waits with it, so
 * that the messages come in the journal's order while an attempt goes on and only a few are held.
 */
import { CUT_OFF } from './cut-off.ts';
import { DelegationFold } from './delegations.ts';
import { type EventOf, type JournalEvent, laneOf, MAIN_LANE } from './events.ts';
import type { Message } from './message.ts';
import { Owners } from './owners.ts';
import type { TraceMessage } from './trace-message.ts';

interface Held {
  message: TraceMessage;
  /** The call whose picture is still to come. */
  waitsFor?: string;
  lane: string;
}

export class MessageFold {
  readonly #held: Held[] = [];
  readonly #delegations = new DelegationFold();
  /** The agent's open calls; calls of the harness are not messages. */
  readonly #calls = new Map<string, { isLook: boolean; tag: { executorId?: string } }>();
  readonly #owners = new Owners();
  /** The goal, until it is known whether the agent says itself what it was asked. */
  #goal: TraceMessage | undefined;
  #answer: string | undefined;
  #last: JournalEvent | undefined;

  /** The messages that are complete now. */
  add(event: JournalEvent): TraceMessage[] {
    const { type } = event;
    this.#last = event;
    this.#delegations.add(event);
    this.#owners.add(event);
    if (type === 'start') this.#start(event);
    else if (type === 'message') this.#said(event);
    else if (type === 'tool_call' && event.by === 'agent') this.#call(event);
    else if (type === 'tool_result') this.#result(event);
    else if (type === 'screenshot' && event.callId !== undefined) this.#picture(event.callId, event.file);
    else if (type === 'stop') this.#stop(event);
    return this.#complete();
  }

  /** What is left of a journal that has no stop. Delegations have a result there too. */
  end(): TraceMessage[] {
    const last = this.#last;
    if (last && last.type !== 'stop') {
      this.#close(isoOf(last));
      this.#keep({ type: 'error', content: CUT_OFF, errorCode: 'cut_off', timestamp: isoOf(last) });
    }
    this.#last = undefined;
    return this.#complete();
  }

  #start(event: EventOf<'start'>): void {
    if (event.kind === 'question') return;
    const { goal }: { goal?: unknown } = Object(event.task);
    if (typeof goal === 'string') this.#goal = { type: 'user', content: goal, timestamp: isoOf(event) };
  }

  /** Every trace begins with what was asked, also where the agent did not say it. */
  #open(said?: Message): void {
    const goal = this.#goal;
    this.#goal = undefined;
    if (goal && said?.type !== 'user') this.#keep(goal);
  }

  #said(event: EventOf<'message'>): void {
    const { message } = event;
    this.#open(message);
    if (message.type === 'assistant') {
      const { executorId, ...rest } = message;
      const tag = this.#tag({ executorId, role: executorId === undefined ? 'agent' : undefined });
      if (tag.executorId === undefined) this.#answer = message.content;
      this.#keep({ ...rest, ...tag, timestamp: isoOf(event) });
    } else this.#keep({ ...message, timestamp: isoOf(event) });
  }

  #call(event: EventOf<'tool_call'>): void {
    this.#open();
    const { callId, tool, look } = event;
    // A lane takes its picture before it makes its next call: one that has not come by now does not come.
    this.#release(laneOf(event));
    const tag = this.#tag(event);
    this.#calls.set(callId, { isLook: look === true, tag });
    this.#keep({
      type: 'tool_call',
      tool,
      toolCallId: callId,
      params: event.arguments ?? {},
      ...tag,
      timestamp: isoOf(event),
    });
  }

  #result(event: EventOf<'tool_result'>): void {
    const { callId, aborted, text, isError } = event;
    const call = this.#calls.get(callId);
    if (!call) return;
    this.#calls.delete(callId);
    const message: TraceMessage = {
      type: 'tool_result',
      toolCallId: callId,
      result: aborted ? 'No answer: the attempt ended before the server had answered.' : text,
      isError: isError || aborted === true,
      ...call.tag,
      timestamp: isoOf(event),
    };
    const hasPicture = !call.isLook && !aborted;
    this.#held.push({ message, lane: laneOf(event), ...(hasPicture ? { waitsFor: callId } : {}) });
  }

  /** A picture belongs to the call that it names, whatever came in between. */
  #picture(callId: string, file: string | undefined): void {
    const held = this.#held.find(({ waitsFor }) => waitsFor === callId);
    if (!held) return;
    delete held.waitsFor;
    const number = Number(/(\d+)\.\w+$/.exec(file ?? '')?.[1] ?? 0);
    if (number > 0 && held.message.type === 'tool_result') held.message.screenshot = number;
  }

  /** No picture comes any more, and no executor answers. */
  #close(timestamp: string): void {
    this.#open();
    this.#release();
    for (const result of this.#delegations.abortedResults()) this.#keep({ ...result, timestamp });
  }

  #stop(event: EventOf<'stop'>): void {
    const timestamp = isoOf(event);
    this.#close(timestamp);
    const { answer, status, reason, error, cause } = event;
    if (answer !== undefined && answer !== this.#answer) this.#keep({ type: 'assistant', content: answer, timestamp });
    if (status === 'error' || status === 'tool_error' || status === 'adapter_error')
      this.#keep({ type: 'error', content: reason, errorCode: error?.code ?? cause ?? status, timestamp });
  }

  #tag(doer: Parameters<Owners['of']>[0]): { executorId?: string } {
    const executorId = this.#owners.of(doer);
    return executorId === undefined ? {} : { executorId };
  }

  #keep(message: TraceMessage): void {
    this.#held.push({ message, lane: MAIN_LANE });
  }

  #release(lane?: string): void {
    for (const held of this.#held) if (lane === undefined || held.lane === lane) delete held.waitsFor;
  }

  #complete(): TraceMessage[] {
    const waiting = this.#held.findIndex(({ waitsFor }) => waitsFor !== undefined);
    return this.#held.splice(0, waiting < 0 ? this.#held.length : waiting).map(({ message }) => message);
  }
}

/**
 * The messages of an attempt, whole.
 *
 * @example
 * const calls = messagesOf(events).filter(isToolCall);
 */
export function messagesOf(events: Iterable<JournalEvent>): TraceMessage[] {
  const fold = new MessageFold();
  const messages: TraceMessage[] = [];
  for (const event of events) messages.push(...fold.add(event));
  messages.push(...fold.end());
  return messages;
}

/** As they stand in `messages.jsonl`. */
export function messageLines(messages: readonly TraceMessage[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

/** Of an attempt that could not be begun: what was asked, and why nothing came of it. */
export function unbegunMessages(about: {
  goal: string;
  message: string;
  errorCode: string;
  startedAt: number;
  endedAt: number;
}): TraceMessage[] {
  const { goal, message, errorCode } = about;
  return [
    { type: 'user', content: goal, timestamp: new Date(about.startedAt).toISOString() },
    { type: 'error', content: message, errorCode, timestamp: new Date(about.endedAt).toISOString() },
  ];
}

function isoOf({ time }: { time: number }): string {
  return new Date(time).toISOString();
}
