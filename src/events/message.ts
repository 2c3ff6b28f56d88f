/** What an agent says, and what its models used: the parts of a message trace that are no tool calls. */
import * as z from 'zod';
import { cutText, JOURNAL_LIMITS } from './limits.ts';
import { usageSchema } from './usage.ts';

const executorId = z.string().min(1).max(64);

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

/** The message with its texts cut to what the journal keeps of a text. */
export function boundMessage(message: Message): Message {
  const cut = Object.entries(message).map(([name, value]) => [
    name,
    typeof value === 'string' ? cutText(value, JOURNAL_LIMITS.text) : value,
  ]);
  return Object.fromEntries(cut) as Message;
}
