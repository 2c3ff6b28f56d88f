/** What an agent says, what its models used, and when they thought: what an attempt's journal has from the agent beside its tool calls. */
import * as z from 'zod';
import { cutText, JOURNAL_LIMITS } from './limits.ts';
import { usageSchema } from './usage.ts';

/** What a lane may be called: it stands in journals, file names and reports. */
export const executorIdSchema = z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/);
export const EXECUTOR_ID_RULE = 'a name has at most 64 letters, digits, dots, dashes and underscores';
const executorId = executorIdSchema;

/** How a delegation ended. `aborted`: the attempt ended before the executor had an answer. */
export const DELEGATION_STATUSES = ['done', 'blocked', 'max_steps', 'timeout', 'error', 'aborted'] as const;

/** As they stand in `messages.jsonl`, without their time. */
export const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('user'), content: z.string() }),
  z.strictObject({ type: z.literal('assistant'), content: z.string(), executorId: executorId.optional() }),
  z.strictObject({
    type: z.literal('delegation'),
    instruction: z.string(),
    executorId,
    maxSteps: z.int().min(1).optional(),
  }),
  z.strictObject({
    type: z.literal('delegation_result'),
    executorId,
    summary: z.string(),
    status: z.enum(DELEGATION_STATUSES),
    stepsUsed: z.int().min(0),
    currentUrl: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('error'), content: z.string(), errorCode: z.string().optional() }),
]);
export type Message = z.infer<typeof messageSchema>;

/** What one call of a model used, said by an agent. */
export const usageMessageSchema = z.strictObject({
  type: z.literal('usage'),
  executorId: executorId.optional(),
  ...usageSchema.shape,
});
export type UsageMessage = z.infer<typeof usageMessageSchema>;

/** A call of a model begins or ends: what lies between is thinking, and not the work of a tool. */
export const turnMessageSchema = z.strictObject({
  type: z.literal('turn'),
  phase: z.enum(['start', 'end']),
  /** From 1, for each lane and for the orchestrator by themselves. */
  turn: z.int().min(1),
  /** Who thinks, as in a usage. */
  role: z.string().optional(),
  executorId: executorId.optional(),
});
export type TurnMessage = z.infer<typeof turnMessageSchema>;

/** Something that the reader of the report should know and that ends nothing. */
export const warningMessageSchema = z.strictObject({
  type: z.literal('warning'),
  source: z.string().min(1).max(100),
  message: z.string(),
});
export type WarningMessage = z.infer<typeof warningMessageSchema>;

/** Everything that an agent can say. */
export type Said = Message | UsageMessage | TurnMessage | WarningMessage;

/** The message with its texts cut to what the journal keeps of a text. */
export function boundMessage<M extends Message | WarningMessage>(message: M): M {
  const cut = Object.entries(message).map(([name, value]) => [
    name,
    typeof value === 'string' ? cutText(value, JOURNAL_LIMITS.text) : value,
  ]);
  return Object.fromEntries(cut) as M;
}
