/**
 * The embedded tool server: an MCP server for one browser slot. It acts through the sessions that the slot's witness has opened, so
 * that no target is attached twice, and it reports to the witness which tab it acts on.
 */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { PageSet, Slot } from '../../chromium/index.ts';
import { Call, GRACE_MS } from './call.ts';
import { failureOf, ToolFailure } from './failure.ts';
import { PROGRESS_META } from './progress.ts';
import { problemsOf, type Tool } from './tool.ts';
import { ToolContext } from './tool-context.ts';
import { EMBEDDED_TOOLS } from './tools/index.ts';

export interface EmbeddedServerOptions {
  slot: Slot;
  /** The tabs of its lane. Default: the tabs of the slot's main lane. */
  pages?: PageSet | undefined;
  /** The only folder from which files can be uploaded. Without it, any readable path is allowed. */
  filesFolder?: string | undefined;
  version?: string | undefined;
}

export interface EmbeddedServer extends AsyncDisposable {
  /** Connects a transport, such as stdio. One at a time. */
  connect(transport: Transport): Promise<void>;
  /** Connects in memory and returns the client's transport. */
  connectInMemory(): Promise<Transport>;
  close(): Promise<void>;
}

/**
 * @example
 * await using server = embeddedServer({ slot });
 * await client.connect(await server.connectInMemory());
 */
export function embeddedServer(options: EmbeddedServerOptions): EmbeddedServer {
  const { version = '0.1.0' } = options;
  const context = new ToolContext(options);
  const mcp = new McpServer({ name: 'waymark-embedded', version }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => LISTED);
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    callTool(context, params.name, params.arguments ?? {}, signal),
  );
  const close = async (): Promise<void> => {
    context.close();
    await mcp.close();
  };
  return {
    connect: (transport) => mcp.connect(transport),
    connectInMemory: async () => {
      const [theirs, ours] = InMemoryTransport.createLinkedPair();
      await mcp.connect(ours);
      return theirs;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const BY_NAME = new Map(EMBEDDED_TOOLS.map((tool) => [tool.name, tool]));

const LISTED: ListToolsResult = {
  tools: EMBEDDED_TOOLS.map(({ name, description, input, reads }) => {
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
    return {
      name,
      description,
      inputSchema: schema as ListToolsResult['tools'][number]['inputSchema'],
      annotations: { readOnlyHint: reads },
    };
  }),
};

async function callTool(
  context: ToolContext,
  name: string,
  given: unknown,
  cancelled: AbortSignal,
): Promise<CallToolResult> {
  const tool = BY_NAME.get(name);
  if (!tool) return new ToolFailure('unknown_tool', `There is no tool "${name}".`).toResult();
  const { result, failed } = await run(context, tool, given, cancelled);
  // To ask for the progress is no step of the caller's.
  if (name === 'oc_progress_status') return result;
  const progress = await context.progress.end({ ...stepOf(tool, given, result), failed }, cancelled);
  return { ...result, _meta: { [PROGRESS_META]: progress } };
}

/** For progress: scrolling counts as reading, and its new position counts as news; so does hovering, over another element. */
function stepOf({ name, reads }: Tool, given: unknown, result: CallToolResult): { call: string; reads: boolean } {
  const call = `${name} ${JSON.stringify(given)}`;
  const scrolls =
    name === 'interact' &&
    typeof given === 'object' &&
    given !== null &&
    'action' in given &&
    given.action === 'scroll';
  if (scrolls) return { call: `${call} ${JSON.stringify(result.content)}`, reads: true };
  const hovers = name === 'hover_at' || (name === 'interact' && Object(given).action === 'hover');
  return { call, reads: reads || hovers || name === 'javascript_tool' };
}

interface Ran {
  result: CallToolResult;
  failed?: string;
}

async function run(context: ToolContext, tool: Tool, given: unknown, cancelled: AbortSignal): Promise<Ran> {
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) {
    const failure = new ToolFailure('bad_argument', problemsOf(parsed.error, Object.keys(tool.input.shape)));
    return { result: failure.toResult(), failed: failure.kind };
  }
  const asked = (parsed.data as { timeoutMs?: number }).timeoutMs;
  const timeoutMs = asked ?? tool.timeoutMs;
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(timeoutMs + GRACE_MS)]);
  const call = new Call(context, signal, timeoutMs, asked !== undefined);
  try {
    const said = await tool.run(parsed.data as never, call);
    return { result: { content: typeof said === 'string' ? [{ type: 'text', text: said }] : said } };
  } catch (error) {
    const failure = failureOf(error, call);
    return { result: failure.toResult(), failed: failure.kind };
  }
}
