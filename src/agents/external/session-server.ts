/** The MCP server that an external agent sees: the tools of its session, and `task_done`. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { Session } from '../../episode/index.ts';
import { answerCall } from './answer-call.ts';
import { textContent } from './tool-content.ts';

export const DONE_TOOL = 'task_done';

export interface SessionServerOptions {
  session: Session;
  /** The agent has listed the tools: it is connected. */
  onListed: () => void;
  /** Something was asked or answered. */
  onActivity: () => void;
  /** The agent said that it is done. False where it had said so before. */
  onDone: (answer: string | undefined) => boolean;
  answerMs?: number | undefined;
}

/** Methods without a handler here (prompts, resources) are answered with -32601 by the SDK. */
export function sessionServer(options: SessionServerOptions): McpServer {
  const { session, onListed, onActivity } = options;
  const mcp = new McpServer({ name: 'waymark', version: '1' }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => {
    onListed();
    return listed(session);
  });
  const calls = new Set<Promise<CallToolResult>>();
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
    onActivity();
    if (name === DONE_TOOL) {
      // A model may call it beside other tools in one reply: those come first, as in the lane's queue.
      await Promise.all(calls);
      return done(args, options);
    }
    const call = answerCall(session, name, args, options.answerMs).finally(onActivity);
    calls.add(call);
    return call.finally(() => calls.delete(call));
  });
  return mcp;
}

function listed({ tools }: Session): ListToolsResult {
  const ours = tools.filter(({ name }) => name !== DONE_TOOL);
  return {
    tools: [
      ...ours.map(({ name, description, inputSchema, readOnly }) => ({
        name,
        description,
        inputSchema: inputSchema as Tool['inputSchema'],
        ...(readOnly === undefined ? {} : { annotations: { readOnlyHint: readOnly } }),
      })),
      TASK_DONE,
    ],
  };
}

const TASK_DONE: Tool = {
  name: DONE_TOOL,
  description:
    'Ends the task. Call it once, when the task is done or cannot be done, with the answer that the task asks for, or with what you have found out.',
  inputSchema: {
    type: 'object',
    properties: { answer: { type: 'string', description: 'The answer; empty where the task asks for none.' } },
    required: ['answer'],
  },
};

function done(args: Record<string, unknown>, { onDone }: SessionServerOptions): CallToolResult {
  const { answer } = args;
  // A model that gives a number or an object means its text.
  const text = typeof answer === 'string' || answer === undefined ? answer : JSON.stringify(answer);
  return onDone(text) ? textContent('The task has ended.') : textContent('The task had ended already.', true);
}
