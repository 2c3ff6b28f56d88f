/** Reads a line of a server's output as a message of JSON-RPC. */
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** The code of the error that stands for an answer which is none. Servers do not use it: JSON-RPC reserves it, and MCP gives it no meaning. */
export const BAD_ANSWER = -32_098;

const Answer = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.undefined().optional(),
});

/**
 * Undefined for a line that is no message. An answer that is malformed (`"result": null`) becomes an error under its id, because the call would
 * wait for it until its deadline.
 */
export function readMessage(line: string): JSONRPCMessage | undefined {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    // Not a message.
    return undefined;
  }
  const message = JSONRPCMessageSchema.safeParse(json);
  if (message.success) return message.data;
  const answer = Answer.safeParse(json);
  if (!answer.success) return undefined;
  const { id } = answer.data;
  return { jsonrpc: '2.0', id, error: { code: BAD_ANSWER, message: 'the answer has neither a result nor an error' } };
}
