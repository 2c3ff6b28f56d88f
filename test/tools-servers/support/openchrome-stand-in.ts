/**
 * Not OpenChrome: a stand-in that is started as it is, lists the tools that it lists (openchrome-tools.json: names and schemas of 1.7.15,
 * strictly held to), has the habits that are known of it, and does its work by Playwright. It shows that the profile and the rendered calls
 * fit the schemas and do what they mean; it can't show how the real one answers.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { z } from 'zod';

type Args = Record<string, unknown>;
const tools: { name: string; inputSchema: { type: 'object' } }[] = JSON.parse(
  readFileSync(new URL('openchrome-tools.json', import.meta.url), 'utf8'),
);
const schemas = new Map(
  tools.map(({ name, inputSchema }) => [
    name,
    z.fromJSONSchema({ ...inputSchema, additionalProperties: false } as never),
  ]),
);

const [, , verb, flag, port, all] = process.argv;
if (verb !== 'serve' || flag !== '--port' || all !== '--all-tools') throw new Error('not started as OpenChrome is');

let context: BrowserContext | undefined;
/** It connects with its first call, and anew when its browser was exchanged behind the gate: then its pages are gone. */
async function opened(): Promise<BrowserContext> {
  if (context && context.pages().length > 0) return context;
  [context] = (await chromium.connectOverCDP(`http://127.0.0.1:${port}`)).contexts();
  if (!context) throw new Error('no context');
  return context;
}

/** Shaped like its target ids; Playwright does not tell the real ones behind the gate. */
const ids = new WeakMap<Page, string>();
function idOf(page: Page): string {
  const id = ids.get(page) ?? randomBytes(16).toString('hex').toUpperCase();
  ids.set(page, id);
  return id;
}

async function pageOf(tabId: unknown): Promise<Page> {
  for (const page of (await opened()).pages()) if (idOf(page) === tabId) return page;
  throw new Error(`Tab not found: ${String(tabId)}`);
}

async function computer(page: Page, { action, coordinate, text }: Args): Promise<string> {
  const [x = 0, y = 0] = (coordinate ?? []) as number[];
  switch (action) {
    case 'left_click':
    case 'double_click':
    case 'triple_click':
      await page.mouse.click(x, y, { clickCount: ['left_click', 'double_click', 'triple_click'].indexOf(action) + 1 });
      break;
    case 'right_click':
      await page.mouse.click(x, y, { button: 'right' });
      break;
    case 'hover':
      await page.mouse.move(x, y);
      break;
    case 'type':
      await page.keyboard.insertText(String(text));
      break;
    case 'key':
      await page.keyboard.press(String(text));
      break;
    default:
      throw new Error(`the stand-in has no ${String(action)}`);
  }
  // What the page does about it (a message between frames) comes with its next frame; a page that leaves answers nothing more.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))').catch(() => {});
  return `Did ${action}`;
}

async function waited(page: Page, { type, value, timeout = 10_000 }: Args): Promise<string> {
  const limit = { timeout: Number(timeout) };
  if (type === 'selector') await page.waitForSelector(String(value), limit);
  else if (type === 'selector_hidden') await page.waitForSelector(String(value), { state: 'hidden', ...limit });
  else if (type === 'url_match') await page.waitForURL((url) => url.href.includes(String(value)), limit);
  else if (type === 'function') await page.waitForFunction(String(value), undefined, limit);
  else throw new Error(`the stand-in has no wait for ${String(type)}`);
  return 'Condition met';
}

async function dragged(page: Page, { sourceX, sourceY, targetX, targetY }: Args): Promise<string> {
  await page.mouse.move(Number(sourceX), Number(sourceY));
  await page.mouse.down();
  await page.mouse.move(Number(targetX), Number(targetY), { steps: 5 });
  await page.mouse.up();
  return 'Dragged';
}

async function perform(name: string, args: Args): Promise<string> {
  switch (name) {
    case 'tabs_context': {
      const pages = (await opened()).pages();
      await Promise.all(pages.map((page) => page.waitForLoadState()));
      const tabs = await Promise.all(
        pages.map(async (page) => ({ tabId: idOf(page), url: page.url(), title: await page.title() })),
      );
      return JSON.stringify({ tabs });
    }
    case 'tabs_create': {
      const page = await (await opened()).newPage();
      await page.goto(String(args['url']));
      return JSON.stringify({ tabId: idOf(page), url: page.url() });
    }
    case 'navigate':
      // Without a tab it makes one.
      if (args['tabId'] === undefined) return perform('tabs_create', args);
      break;
    case 'tabs_close':
      await (await pageOf(args['tabId'])).close();
      return 'Closed';
    default:
  }
  const page = await pageOf(args['tabId']);
  switch (name) {
    case 'navigate': {
      const url = String(args['url']);
      if (url === 'back') await page.goBack();
      else if (url === 'forward') await page.goForward();
      else await page.goto(url);
      return JSON.stringify({ action: 'navigate', url: page.url() });
    }
    case 'read_page':
      return `${page.url()}\n${await page.locator('body').innerText()}`;
    case 'computer':
      return computer(page, args);
    case 'javascript_tool':
      return String((await page.evaluate(String(args['code']))) ?? 'undefined');
    case 'wait_for':
      return waited(page, args);
    case 'drag_drop':
      return dragged(page, args);
    case 'lightweight_scroll':
      await page.evaluate(
        ([selector, by]) => {
          const it = selector === null ? document.scrollingElement : document.querySelector(selector);
          it?.scrollBy(0, by);
        },
        [(args['selector'] as string | undefined) ?? null, Number(args['amount'])] as const,
      );
      return 'Scrolled';
    case 'file_upload':
      await page.setInputFiles(String(args['selector']), args['filePaths'] as string[]);
      return 'Uploaded';
    default:
      throw new Error(`the stand-in has no ${name}`);
  }
}

const server = new Server({ name: 'openchrome', version: 'stand-in' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
  const hint = { type: 'text' as const, text: 'Hint: read_page shows what changed.' };
  try {
    const checked = schemas.get(name)?.safeParse(args);
    if (checked?.success !== true) throw new Error(`Schema of ${name}: ${checked?.error?.message ?? 'no such tool'}`);
    return { content: [{ type: 'text', text: await perform(name, args) }, hint] };
  } catch (error) {
    const text = `Error: ${error instanceof Error ? error.message : String(error)}`;
    return { content: [{ type: 'text', text }, hint], isError: true };
  }
});
await server.connect(new StdioServerTransport());
process.stdin.once('end', () => process.exit(0));
