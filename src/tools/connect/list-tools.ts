/** Lists all tools of a server, page by page. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { findingsOf } from '../../errors/index.ts';
import type { ToolInfo } from './tool-client.ts';

/** A limit for servers whose pages never end. */
const MAX_TOOLS = 2_000;

/** The tools are read one by one, so that a bad one costs only itself. */
const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const Named = z.object({ name: z.string() });

export interface ListedTools {
  tools: ToolInfo[];
  /** A sentence for each tool that cannot be used. */
  notes: string[];
}

export async function listTools(client: Client, signal: AbortSignal): Promise<ListedTools> {
  const tools: ToolInfo[] = [];
  const notes: string[] = [];
  let cursor: string | undefined;
  do {
    // client.listTools() is not used, because it compiles a validator for every output schema, and none is needed.
    const page = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      ToolPage,
      { signal },
    );
    for (const given of page.tools) {
      const read = ToolSchema.safeParse(given);
      if (read.success) tools.push(infoOf(read.data));
      else notes.push(badTool(given, findingsOf(read.error)));
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length + notes.length < MAX_TOOLS);
  return { tools, notes };
}

function infoOf({ name, description = '', inputSchema, annotations }: z.infer<typeof ToolSchema>): ToolInfo {
  const readOnly = annotations?.readOnlyHint;
  return { name, description, inputSchema, ...(readOnly === undefined ? {} : { readOnly }) };
}

function badTool(given: unknown, [first = 'it is malformed']: readonly string[]): string {
  const name = Named.safeParse(given).data?.name;
  const which = name === undefined ? 'A tool without a name' : `The tool "${name.slice(0, 100)}"`;
  return `${which} of the server cannot be used, because its description is invalid: ${first.slice(0, 300)}.`;
}
