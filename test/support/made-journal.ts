/** Journals made by hand, for the folds: each event one second after the one before. */
import type { EventType, JournalEvent, Message, NewEvent } from '../../src/events/index.ts';
import { startOf } from '../journal/documented-events.ts';

type AnyNew = { [K in EventType]: NewEvent<K> & { type: K } }[EventType];
const EPOCH = Date.parse('2026-01-01T00:00:00Z');

/** The time of the event at a place, as messages and metadata write it. */
export const isoAt = (seq: number): string => new Date(EPOCH + seq * 1000).toISOString();

/** The start comes first by itself; `agent` changes what it says of the agent. */
export function madeJournal(
  events: readonly AnyNew[],
  agent: NewEvent<'start'>['agent'] = { kind: 'test' },
): JournalEvent[] {
  const start = { ...startOf(), type: 'start' as const, v: 1, agent };
  return [start, ...events].map((event, seq) => ({ seq, time: EPOCH + seq * 1000, ...event }) as JournalEvent);
}

type Lane = string | undefined;
const tag = (lane: Lane): { executorId?: string } => (lane === undefined ? {} : { executorId: lane });

export const said = (message: Message): AnyNew => ({ type: 'message', message });

export const called = (
  callId: string,
  step: number,
  lane?: Lane,
  more: Partial<NewEvent<'tool_call'>> = {},
): AnyNew => ({
  type: 'tool_call',
  callId,
  step,
  tool: 'click',
  arguments: { of: callId },
  by: 'agent',
  observes: false,
  ...tag(lane),
  ...more,
});

export const answered = (callId: string, lane?: Lane, more: Partial<NewEvent<'tool_result'>> = {}): AnyNew => ({
  type: 'tool_result',
  callId,
  isError: false,
  text: `result of ${callId}`,
  textLength: `result of ${callId}`.length,
  contentTypes: ['text'],
  durationMs: 250,
  digest: 'd',
  ...tag(lane),
  ...more,
});

export const pictured = (callId: string | undefined, number: number, lane?: Lane): AnyNew => ({
  type: 'screenshot',
  ...(callId === undefined ? {} : { callId }),
  ok: true,
  file: `screenshots/${String(number).padStart(3, '0')}.jpg`,
  hash: String(number),
  ...tag(lane),
});

export const seen = (url: string, lane?: Lane, callId?: string): AnyNew => ({
  type: 'evidence',
  ...(callId === undefined ? {} : { callId }),
  url,
  title: '',
  page: 'ok',
  counters: { network: 0, console: 0, dialogs: 0, downloads: 0, popups: 0 },
  tabs: [],
  ...tag(lane),
});

export const rewarded = (callId: string, score: number, lane?: Lane): AnyNew => ({
  type: 'reward',
  callId,
  score,
  classification: score > 0 ? 'progress' : 'no_progress',
  tier: 'action',
  reasons: [],
  confidence: 1,
  ...tag(lane),
});

export const stopped = (more: Partial<NewEvent<'stop'>> = {}): AnyNew => ({
  type: 'stop',
  status: 'failed',
  reason: 'The agent is done, and the contract does not pass.',
  ...more,
});

export const delegated = (executorId: string, instruction = `Work, ${executorId}.`): AnyNew =>
  said({ type: 'delegation', executorId, instruction, maxSteps: 5 });

export const reportedBack = (
  executorId: string,
  status: Extract<Message, { type: 'delegation_result' }>['status'] = 'done',
): AnyNew =>
  said({ type: 'delegation_result', executorId, summary: `${executorId} says ${status}.`, status, stepsUsed: 1 });

/** An orchestrator with two executors, made with the test model: one says done, one is blocked, and the agent claims to be done. */
export const teamJournal = (summary = 'right says blocked.'): JournalEvent[] =>
  madeJournal(
    [
      { type: 'turn', phase: 'start', turn: 1, role: 'orchestrator' },
      { type: 'turn', phase: 'end', turn: 1, role: 'orchestrator' },
      { type: 'usage', model: 'waymark-test-model/liar', role: 'orchestrator', inputTokens: 1200, outputTokens: 34 },
      delegated('left', 'Look at the left shop.'),
      delegated('right', 'Look at the right shop.'),
      called('c1', 1, 'left'),
      called('c2', 2, 'right'),
      answered('c2', 'right', { isError: true }),
      answered('c1', 'left'),
      rewarded('c1', 0.5, 'left'),
      reportedBack('left'),
      said({ type: 'delegation_result', executorId: 'right', summary, status: 'blocked', stepsUsed: 1 }),
      stopped({ claimed: 'done', answer: 'The left one.' }),
    ],
    { kind: 'orchestrator-executor' },
  );
