/**
 * Not BrowserOS: a stand-in with both generations of its tools (its agent server 0.0.74, and its source of July 2026), over HTTP. It is as strict as
 * their schemas, answers as they do, and finds its tabs by the CDP commands that only BrowserOS has.
 */
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { RawClient } from '../../support/raw-client.ts';
import { BrowserOsPages } from './browseros-pages.ts';

export type Generation = 'first' | 'second';

interface Answer {
  text: string;
  structured?: Record<string, unknown>;
}
interface Tool {
  schema: z.ZodType;
  run(args: Record<string, unknown>): Promise<Answer>;
}

const page = z.number().int();
const [x, y, text, url, key] = [z.number(), z.number(), z.string(), z.string(), z.string()];
const history = z.enum(['url', 'back', 'forward', 'reload']).default('url');
const direction = z.enum(['up', 'down', 'left', 'right']);
const button = z.enum(['left', 'right', 'middle']);

const tool = <T extends z.ZodType>(schema: T, run: (args: z.output<T>) => Promise<Answer>): Tool => ({
  schema,
  run: (args) => run(schema.parse(args)),
});

function firstTools(pages: BrowserOsPages): Record<string, Tool> {
  return {
    list_pages: tool(z.strictObject({}), async () => {
      const list = await pages.list();
      const lines = list.map((each) => `${each.pageId}. ${each.title} (tab ${each.tabId})\n   ${each.url}`);
      return { text: lines.join('\n\n'), structured: { pages: list, count: list.length } };
    }),
    navigate_page: tool(z.strictObject({ page, action: history, url: url.optional() }), async (args) => {
      await pages.go(args.page, args.action, args.url);
      return { text: `Navigated to ${args.url}`, structured: args };
    }),
    new_page: tool(z.strictObject({ url }), async (args) => {
      const pageId = await pages.open(args.url);
      return { text: `Opened new page: ${args.url}\nPage ID: ${pageId}`, structured: { pageId, url: args.url } };
    }),
    close_page: tool(z.strictObject({ page }), async (args) => {
      await pages.close(args.page);
      return { text: `Closed page ${args.page}`, structured: { page: args.page, action: 'close_page' } };
    }),
    take_snapshot: tool(z.strictObject({ page }), async (args) => ({ text: await pages.read(args.page) })),
    evaluate_script: tool(z.strictObject({ page, expression: z.string() }), async (args) => ({
      text: await pages.evaluate(args.page, args.expression),
    })),
    click_at: tool(
      z.strictObject({ page, x, y, button: button.default('left'), clickCount: z.number().default(1) }),
      async (args) => {
        await pages.click(args.page, args);
        return { text: `Clicked at (${args.x}, ${args.y})` };
      },
    ),
    press_key: tool(z.strictObject({ page, key }), async (args) => {
      await pages.press(args.page, args.key);
      return { text: `Pressed ${args.key}` };
    }),
  };
}

const ActKind = z.enum([
  'click',
  'click_at',
  'type',
  'type_at',
  'fill',
  'press',
  'hover',
  'hover_at',
  'select',
  'scroll',
  'drag_at',
]);
const Act = z.strictObject({
  page,
  kind: ActKind,
  ...{ ref: text.optional(), text: text.optional(), value: text.optional(), key: key.optional() },
  ...{ direction: direction.optional(), amount: z.number().optional(), x: x.optional(), y: y.optional() },
  ...{ startX: x.optional(), startY: y.optional(), endX: x.optional(), endY: y.optional() },
  ...{ button: button.optional(), clickCount: z.number().int().optional(), clear: z.boolean().optional() },
});

async function performAct(pages: BrowserOsPages, args: z.output<typeof Act>): Promise<Answer> {
  const { kind, button: named = 'left', clickCount = 1 } = args;
  if (kind === 'click_at' && args.x !== undefined && args.y !== undefined)
    await pages.click(args.page, { x: args.x, y: args.y, button: named, clickCount });
  else if (kind === 'type' && args.text !== undefined) await pages.type(args.page, args.text);
  else if (kind === 'press' && args.key !== undefined) await pages.press(args.page, args.key);
  else throw new Error(`act ${kind}: an argument is required.`);
  return { text: `ok (${kind})`, structured: { kind } };
}

function secondTools(pages: BrowserOsPages): Record<string, Tool> {
  const action = z.enum(['list', 'active', 'new', 'close']).default('list');
  return {
    tabs: tool(z.strictObject({ action, url: url.optional(), page: page.optional() }), async (args) => {
      if (args.action === 'new') {
        const opened = await pages.open(args.url ?? 'about:blank');
        return { text: `opened page ${opened}`, structured: { page: opened } };
      }
      if (args.action === 'close') {
        if (args.page === undefined) throw new Error('tabs close: page is required.');
        await pages.close(args.page);
        return { text: `closed page ${args.page}`, structured: { page: args.page } };
      }
      const list = await pages.list();
      return {
        text: list.map((each) => `[${each.pageId}] ${each.url} (${each.title})`).join('\n'),
        structured: { pages: list.map((each) => ({ page: each.pageId, url: each.url, title: each.title })) },
      };
    }),
    navigate: tool(z.strictObject({ page, action: history, url: url.optional() }), async (args) => {
      await pages.go(args.page, args.action, args.url);
      return { text: `navigated (${args.action}) -> ${args.url}`, structured: { page: args.page } };
    }),
    snapshot: tool(z.strictObject({ page }), async (args) => ({ text: await pages.read(args.page) })),
    act: tool(Act, (args) => performAct(pages, args)),
    evaluate: tool(z.strictObject({ page, code: z.string() }), async (args) => ({
      text: await pages.evaluate(args.page, args.code),
    })),
  };
}

function mcpServer(tools: Record<string, Tool>): Server {
  const server = new Server({ name: 'browseros', version: 'stand-in' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, { schema }]) => ({
      name,
      inputSchema: z.toJSONSchema(schema, { io: 'input' }) as { type: 'object' },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
    try {
      const known = tools[name];
      if (!known) throw new Error(`no tool ${name}`);
      const checked = known.schema.safeParse(args);
      if (!checked.success) throw new Error(`Invalid arguments for ${name}: ${checked.error.message}`);
      const { text: said, structured } = await known.run(args);
      const content = [{ type: 'text' as const, text: said }];
      return structured ? { content, structuredContent: structured } : { content };
    } catch (error) {
      return {
        content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }],
        isError: true,
      };
    }
  });
  return server;
}

/** `tabs`: whether its browser has the commands for tabs, as its own and the gate have. */
export async function startBrowserOs(client: RawClient, generation: Generation, tabs: 'browseros' | 'chromium') {
  const pages = new BrowserOsPages(client, tabs);
  const tools = generation === 'first' ? firstTools(pages) : secondTools(pages);
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await mcpServer(tools).connect(transport as never);
    await transport.handleRequest(request, response);
  });
  const port = await new Promise<number>((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose](): Promise<void> {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
