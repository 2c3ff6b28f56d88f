/** Lists all tools of a server, page by page. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ToolInfo } from './tool-client.ts';

/** A limit for servers whose pages never end. */
const MAX_TOOLS = 2_000;

export async function listTools(client: Client, signal: AbortSignal): Promise<ToolInfo[]> {
  const tools: ToolInfo[] = [];
  let cursor: string | undefined;
  do {
    // client.listTools() is not used, because it compiles a validator for every output schema, and none is needed.
    const page = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      ListToolsResultSchema,
      { signal },
    );
    for (const { name, description = '', inputSchema, annotations } of page.tools) {
      const readOnly = annotations?.readOnlyHint;
      tools.push({ name, description, inputSchema, ...(readOnly === undefined ? {} : { readOnly }) });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < MAX_TOOLS);
  return tools;
}
