/** A `tools/call` of an external agent: a step of its session, answered before the client gives up. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Session, toolCallSchema } from '../../episode/index.ts';
import { findingsOf, messageOf } from '../../errors/index.ts';
import { textContent, toolContent } from './tool-content.ts';

/** Clients wait 60 seconds (opencode) or longer. What waits for its turn in the lane's queue is counted too. */
const ANSWER_MS = 50_000;

export async function answerCall(
  session: Session,
  tool: string,
  args: Record<string, unknown>,
  withinMs: number = ANSWER_MS,
): Promise<CallToolResult> {
  const call = toolCallSchema.safeParse({ tool, arguments: args });
  // A model may make up any name. Only what a tool server could be asked is a step.
  if (!call.success) return textContent(`Not a call: ${findingsOf(call.error).join('; ')}. Nothing was done.`, true);
  const { promise: late, resolve } = Promise.withResolvers<CallToolResult>();
  const timer = setTimeout(() => resolve(textContent(lateText(tool, withinMs), true)), withinMs);
  try {
    return await Promise.race([session.step(call.data).then(toolContent), late]);
  } catch (error) {
    return textContent(messageOf(error), true);
  } finally {
    clearTimeout(timer);
  }
}

function lateText(tool: string, withinMs: number): string {
  return `The tool ${tool} has not answered within ${withinMs / 1000} seconds. The call goes on; look at the page before you repeat it.`;
}
