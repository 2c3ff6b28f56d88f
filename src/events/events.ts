/**
 * The events of an attempt. Strict, because what is written is known; reading is more patient (`parse-event.ts`).
 * Sets that other modules or servers own (tools, reward signals, error kinds) are open: plain strings.
 */
import * as z from 'zod';
import type { Evidence } from '../contracts/index.ts';
import { evidenceEvent } from './evidence-event.ts';
import { messageSchema, turnMessageSchema, usageMessageSchema } from './message.ts';
import { recoveryEvent } from './recovery-event.ts';
import { requestEvent, requestsEvent } from './request-event.ts';
import { questionStartEvent, taskStartEvent } from './start-event.ts';

/** On every event. */
const stamp = {
  /** 0, 1, 2, … without a gap. */
  seq: z.int().min(0),
  /** Milliseconds since the epoch; never less than the event's before. */
  time: z.number(),
  /** Where the event was too long: the bytes it would have taken (absent where it was too deep), and the fields that are shortened or left out. */
  cut: z.strictObject({ bytes: z.int().optional(), fields: z.array(z.string()) }).optional(),
};
const callId = z.string().min(1);
/** The lane that the event belongs to. Absent: `main`, as in all journals that were written before there were lanes. */
const executorId = z.string().min(1).optional();

/** Its nodes are contracts' own; only the shape that every node has is checked. */
const evidenceTree = z.looseObject({
  verdict: z.enum(['pass', 'fail', 'inconclusive']),
  passed: z.boolean(),
  assertion_kind: z.string(),
  details: z.looseObject({}),
}) as unknown as z.ZodType<Evidence>;

export const eventSchemas = {
  start: z.union([
    z.strictObject({ ...stamp, ...taskStartEvent }),
    z.strictObject({ ...stamp, ...questionStartEvent }),
  ]),
  reset: z.strictObject({
    ...stamp,
    type: z.literal('reset'),
    /** False where the browser could not be proved clean. */
    ok: z.boolean(),
    /** A sentence for each thing that should not be there. */
    findings: z.array(z.string()),
    fingerprint: z.unknown().optional(),
    /** The server has its own browser: nothing was proved of what it holds. */
    unproved: z.literal(true).optional(),
    durationMs: z.number().min(0),
  }),
  tool_call: z.strictObject({
    ...stamp,
    type: z.literal('tool_call'),
    callId,
    /** The agent's calls from 1; 0 for its looks and for the harness's own calls. */
    step: z.int().min(0),
    tool: z.string(),
    arguments: z.unknown().optional(),
    by: z.enum(['agent', 'harness']),
    /** The agent only looked: no step, and nothing is scored by it. */
    look: z.literal(true).optional(),
    /** A further call of the same move: it has the number of the move's first call, and is no step of its own. */
    continues: z.literal(true).optional(),
    /** The tool only observes; from the server's profile. */
    observes: z.boolean(),
    /** The action that this call was rendered from. */
    canonical: z.unknown().optional(),
    executorId,
    /** Destructive or transactional: the task guards it; and whether it was allowed. */
    destructive: z.boolean().optional(),
    gated: z.boolean().optional(),
    /** The harness made this call instead of the agent's: the `recovery` event before it says which one the agent made. */
    recovered: z.literal(true).optional(),
  }),
  tool_result: z.strictObject({
    ...stamp,
    type: z.literal('tool_result'),
    callId,
    executorId,
    /** The attempt ended before the server had answered; the agent was shown nothing. */
    aborted: z.literal(true).optional(),
    isError: z.boolean(),
    errorKind: z.string().optional(),
    /** What the agent was shown, or its beginning; `textLength` is that of the whole. */
    text: z.string(),
    textLength: z.int().min(0),
    contentTypes: z.array(z.string()),
    durationMs: z.number().min(0),
    /** Of the whole result. */
    digest: z.string(),
    itemsExtracted: z.int().min(0).optional(),
  }),
  evidence: z.strictObject({ ...stamp, ...evidenceEvent }),
  request: z.strictObject({ ...stamp, ...requestEvent }),
  requests: z.strictObject({ ...stamp, ...requestsEvent }),
  /** The state of the application, where a `state-diff` grader asks for it. */
  app_state: z
    .strictObject({
      ...stamp,
      type: z.literal('app_state'),
      /** Before the agent's first call, or after the last look. */
      phase: z.enum(['before', 'after']),
      /** As the grader names it, and the address that was opened. */
      stateUrl: z.string(),
      url: z.string(),
      /** JSON, relative to the episode's folder; its hash is the SHA-256 of the file. */
      file: z.string().optional(),
      hash: z.string().optional(),
      /** Why there is none, as a sentence. */
      reason: z.string().optional(),
    })
    .refine(({ file, hash, reason }) => (reason === undefined ? file !== undefined && hash !== undefined : true), {
      error: 'a state has a file and a hash, or a reason why it has none',
    }),
  contract_eval: z.strictObject({
    ...stamp,
    type: z.literal('contract_eval'),
    callId: callId.optional(),
    executorId,
    phase: z.enum(['start', 'step', 'final']),
    verdict: z.enum(['pass', 'fail', 'inconclusive']),
    evidence: evidenceTree.optional(),
  }),
  reward: z.strictObject({
    ...stamp,
    type: z.literal('reward'),
    callId: callId.optional(),
    executorId,
    score: z.number().min(-1).max(1),
    /** What it adds to the sum of the episode. Absent in journals of scorers before waymark-reward/3: there the score was added. */
    contribution: z.number().min(-2).max(2).optional(),
    /** Of the last look, where it changed what the episode sums to: it belongs to no step. */
    final: z.literal(true).optional(),
    /** It replaces the reward of its call: the picture, which is taken after the step, shows an effect that the document does not. */
    amended: z.literal(true).optional(),
    classification: z.string(),
    tier: z.string(),
    reasons: z.array(z.strictObject({ signal: z.string(), weight: z.number(), evidence: z.string() })),
    confidence: z.number().min(0).max(1),
  }),
  screenshot: z
    .strictObject({
      ...stamp,
      type: z.literal('screenshot'),
      callId: callId.optional(),
      executorId,
      ok: z.boolean(),
      /** Relative to the episode's folder. The same picture again has the same hash and the same file. */
      file: z.string().optional(),
      hash: z.string().optional(),
      /** Why there is none. */
      reason: z.string().optional(),
      /** There is none because the browser did not answer in time. */
      timedOut: z.literal(true).optional(),
    })
    .refine(({ ok, file, hash, reason }) => (ok ? file !== undefined && hash !== undefined : reason !== undefined), {
      error: 'a picture has a file and a hash; a failed one has a reason',
    }),
  progress: z.strictObject({
    ...stamp,
    type: z.literal('progress'),
    callId: callId.optional(),
    executorId,
    /** `progressing`, `stalling`, `stuck`, or what else a server may say. */
    status: z.string(),
  }),
  recovery: z.strictObject({ ...stamp, ...recoveryEvent }),
  /** What the agent said, was told or delegated. */
  message: z.strictObject({ ...stamp, type: z.literal('message'), message: messageSchema }),
  usage: z.strictObject({ ...stamp, ...usageMessageSchema.shape }),
  turn: z.strictObject({ ...stamp, ...turnMessageSchema.shape }),
  warning: z.strictObject({
    ...stamp,
    type: z.literal('warning'),
    /** `screenshot`, `message_logging`, `cleanup`, … */
    source: z.string(),
    message: z.string(),
    callId: callId.optional(),
  }),
  stop: z.strictObject({
    ...stamp,
    type: z.literal('stop'),
    /** `answered` and `error` end a question and an imported trace: whether the answer is right, a grade says. */
    status: z.enum(['passed', 'failed', 'timeout', 'max_steps', 'adapter_error', 'tool_error', 'answered', 'error']),
    /** What ended an episode that did not end by itself. */
    cause: z
      .enum(['browser', 'reset', 'fixture', 'server', 'transport', 'adapter', 'grader', 'guard', 'site'])
      .optional(),
    /** A sentence. */
    reason: z.string(),
    /** What the agent said of itself when it returned. Absent where something else ended the attempt: it claimed nothing. */
    claimed: z.enum(['done', 'gave_up']).optional(),
    /** The run was stopped while the episode went on: it is run anew when the run is continued. */
    interrupted: z.literal(true).optional(),
    /** The agent's final answer; a question's is its last assistant message. */
    answer: z.string().optional(),
    /** Of a question: why there is no answer, what the model calls itself, and how long its call took. */
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    modelLabel: z.string().optional(),
    latencyMs: z.number().min(0).optional(),
    /** The lane on whose page the contract held at the end. Absent: `main`, or it held on none. */
    executorId,
  }),
};

export type EventType = keyof typeof eventSchemas;
export type EventOf<T extends EventType> = { [K in T]: z.infer<(typeof eventSchemas)[K]> }[T];
/** An event as it stands in the journal. */
export type JournalEvent = EventOf<EventType>;
/** An event to be appended: position, time and version are the journal's to give. */
export type NewEvent<T extends EventType = EventType> = NewEvents[T];
type NewEvents = { [K in EventType]: Unstamped<EventOf<K>> };
/** Of each member of a union by itself: a start is of a task or of a question. */
type Unstamped<T> = T extends unknown ? Omit<T, 'seq' | 'time' | 'cut' | 'v'> : never;
/** The start of a task's journal: only tasks have a contract, a tool server and a browser. */
export type TaskStart = Exclude<EventOf<'start'>, { kind: 'question' }>;

/** An event of a type that a later version brought: kept as it is, and skipped by folds. */
export interface UnknownEvent {
  type: 'unknown';
  seq: number;
  time: number;
  event: Record<string, unknown>;
}

/** A call of the agent that counts: neither a look of the agent, nor a further call of the same move, nor a call of the harness. */
export function isStep({ by, look, continues }: Pick<EventOf<'tool_call'>, 'by' | 'look' | 'continues'>): boolean {
  return by === 'agent' && look !== true && continues !== true;
}

export const MAIN_LANE = 'main';

/** The lane of an event; `main` where it names none. */
export function laneOf(event: { executorId?: string | undefined }): string {
  return event.executorId ?? MAIN_LANE;
}

export function isEventType(type: unknown): type is EventType {
  return typeof type === 'string' && Object.hasOwn(eventSchemas, type);
}
