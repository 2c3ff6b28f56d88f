/** Which tool server a conversation has, by the names of its tools. Agents put a prefix before them: `mcp__browser__`, `mcp_browser_`, `browser_`. */
import { profileOf, type ServerProfile } from '../../tools/index.ts';
import type { ConversationTool } from '../conversation.ts';

export interface KnownServer {
  readonly profile: ServerProfile;
  /** What the agent puts before the server's own names. */
  readonly prefix: string;
  /** The server's own names of its tools. */
  readonly tools: readonly { readonly name: string }[];
}

/** Tools that only this server has together. More specific servers come first. */
const SIGNATURES: readonly { server: Parameters<typeof profileOf>[0]; tools: readonly [string, ...string[]] }[] = [
  { server: 'playwright', tools: ['browser_snapshot', 'browser_navigate', 'browser_click'] },
  { server: 'chrome-devtools', tools: ['take_snapshot', 'navigate_page', 'list_pages'] },
  { server: { server: 'openchrome', command: ['openchrome'] }, tools: ['lightweight_scroll', 'read_page', 'navigate'] },
  { server: 'embedded', tools: ['click_at', 'interact', 'read_page', 'navigate'] },
];

export function recogniseServer(tools: readonly ConversationTool[]): KnownServer | undefined {
  const names = new Set(tools.map(({ name }) => name));
  for (const { server, tools: wanted } of SIGNATURES) {
    const [first] = wanted;
    const prefix = [...names]
      .filter((name) => name.endsWith(first))
      .map((name) => name.slice(0, -first.length))
      .find((candidate) => wanted.every((name) => names.has(candidate + name)));
    if (prefix === undefined) continue;
    const own = [...names]
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ name: name.slice(prefix.length) }));
    return { profile: profileOf(server), prefix, tools: own };
  }
  return undefined;
}

/** A tool of the harness, such as `task_done`, whatever the agent puts before its name. */
export function findTool(tools: readonly ConversationTool[], name: string): ConversationTool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name.endsWith(`_${name}`));
}
