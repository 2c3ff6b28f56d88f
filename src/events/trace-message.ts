/** The lines of `messages.jsonl`: what was said and called in an attempt, in one form for every kind of agent. */
import * as z from 'zod';
import { executorIdSchema, messageSchema } from './message.ts';

/** When it happened. */
const timestamp = z.iso.datetime();
const executorId = executorIdSchema.optional();
const toolCallId = z.string().min(1);

const [user, assistant, delegation, delegationResult, error] = messageSchema.options;

/** One line of `messages.jsonl`. An `executorId` names the executor whose message it is. */
export const traceMessageSchema = z.discriminatedUnion('type', [
  user.extend({ timestamp }),
  assistant.extend({ timestamp }),
  z.strictObject({
    type: z.literal('tool_call'),
    tool: z.string(),
    toolCallId,
    params: z.unknown(),
    /** The harness made it instead of the agent's call (recovery search). */
    recovered: z.literal(true).optional(),
    executorId,
    timestamp,
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    toolCallId,
    result: z.string(),
    isError: z.boolean(),
    /** The number of the picture that was taken after the call: `screenshots/007.jpg` is 7. */
    screenshot: z.int().min(1).optional(),
    executorId,
    timestamp,
  }),
  error.extend({ timestamp }),
  delegation.extend({ timestamp }),
  delegationResult.extend({ timestamp }),
]);
export type TraceMessage = z.infer<typeof traceMessageSchema>;
export type TraceMessageType = TraceMessage['type'];
type MessageOf<T extends TraceMessageType> = Extract<TraceMessage, { type: T }>;

const guard =
  <T extends TraceMessageType>(type: T) =>
  (message: TraceMessage): message is MessageOf<T> =>
    message.type === type;

export const isUserMessage = guard('user');
export const isAssistantMessage = guard('assistant');
export const isToolCall = guard('tool_call');
export const isToolResult = guard('tool_result');
export const isErrorMessage = guard('error');
export const isDelegation = guard('delegation');
export const isDelegationResult = guard('delegation_result');

/** For editors and for programs in other languages. */
export function traceMessageJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(traceMessageSchema);
  const description = 'One line of messages.jsonl: what was said or called in an attempt.';
  return { $schema, title: 'Waymark message', description, ...schema };
}
