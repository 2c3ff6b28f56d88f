/** What agents said, were told and delegated, each with its lane. Bounded in size. */
import { type JournalEvent, MAIN_LANE, type Message } from '../events/index.ts';
import { type Clipped, clip } from './clip.ts';
import { HTML_LIMITS } from './limits.ts';

export interface LaneMessage {
  seq: number;
  /** Milliseconds since the start. */
  at: number;
  lane: string;
  kind: Message['type'];
  text: Clipped;
  /** Of a delegation that ended. */
  status?: string;
}

export interface LaneMessages {
  messages: LaneMessage[];
  leftOut: number;
}

export function laneMessages(events: readonly JournalEvent[]): LaneMessages {
  const begin = events[0]?.time ?? 0;
  const messages: LaneMessage[] = [];
  let leftOut = 0;
  for (const event of events) {
    if (event.type !== 'message') continue;
    if (messages.length >= HTML_LIMITS.messages) {
      leftOut++;
      continue;
    }
    const { message } = event;
    const lane = 'executorId' in message ? (message.executorId ?? MAIN_LANE) : MAIN_LANE;
    messages.push({
      seq: event.seq,
      at: event.time - begin,
      lane,
      kind: message.type,
      text: clip(textOf(message), HTML_LIMITS.text),
      ...(message.type === 'delegation_result' ? { status: message.status } : {}),
    });
  }
  return { messages, leftOut };
}

function textOf(message: Message): string {
  if (message.type === 'delegation') return message.instruction;
  return message.type === 'delegation_result' ? message.summary : message.content;
}
