/**
 * Not OpenChrome: a stand-in that is started as it is, lists the tools that it lists (openchrome-tools.json: names and schemas of 1.7.15,
 * strictly held to), answers as 1.7.15 was seen to answer, and does its work by Playwright.
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

const [, , verb, flag, port] = process.argv;
if (verb !== 'serve' || flag !== '--port') throw new Error('not started as OpenChrome is');
/** It lists all its tools only when it is told to. */
const listed = process.env['OPENCHROME_TOOL_TIER'] === '3' ? tools : tools.slice(0, 6);

let context: BrowserContext | undefined;
/** Its own tabs, by their ids: those that it has opened, and what these open. A tab that was there before is not one of them. */
const tabs = new Map<string, Page>();

/** It connects with its first call. */
async function opened(): Promise<BrowserContext> {
  if (context) return context;
  [context] = (await chromium.connectOverCDP(`http://127.0.0.1:${port}`)).contexts();
  if (!context) throw new Error('no context');
  return context;
}

/** The ids are shaped like its target ids; Playwright does not tell the real ones behind the gate. */
function adopt(page: Page): string {
  const id = randomBytes(16).toString('hex').toUpperCase();
  tabs.set(id, page);
  page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
  page.on('popup', adopt);
  page.on('close', () => tabs.delete(id));
  return id;
}

function pageOf(tabId: unknown): Page {
  if (tabId === undefined) throw new Error('tabId is required');
  const page = tabs.get(String(tabId));
  if (page) return page;
  throw new Error(
    `Tab ${String(tabId)} not found. Hint: The tab may have been closed or the session expired. Use navigate() to open a new tab.`,
  );
}

/**
 * Its javascript_tool: one expression is evaluated, with "await" where it says so. Any other code becomes an async function. A promise is never
 * awaited: it is told as "{}".
 */
async function ran(page: Page, code: string): Promise<string> {
  const isExpression = !/[\n;]|\breturn\b/.test(code.trim());
  const value = isExpression ? code.trim() : `(async () => { ${code}\n})()`;
  const told = '(value) => (typeof value === "object" ? JSON.stringify(value, null, 2) : String(value))';
  try {
    // The list keeps a promise from being awaited.
    return String(await page.evaluate(`(async () => (${told})([${value}][0]))()`));
  } catch (error) {
    throw new Answer(`JavaScript error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** An error whose text is the whole answer. */
class Answer extends Error {}

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
      if (!text) throw new Error('text is required for type action');
      await page.keyboard.type(String(text));
      break;
    case 'key':
      for (const key of String(text).split(' ')) await page.keyboard.press(key);
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
  else if (type === 'url_match') await page.waitForURL(new RegExp(String(value)), limit);
  else if (type === 'function') await page.waitForFunction(String(value), undefined, limit);
  else throw new Error(`the stand-in has no wait for ${String(type)}`);
  return 'Condition met';
}

async function listTabs(): Promise<string> {
  await opened();
  const described = [...tabs].map(async ([tabId, page]) => {
    await page.waitForLoadState();
    return { tabId, workerId: 'default', url: page.url(), title: await page.title() };
  });
  const all = await Promise.all(described);
  const worker = { id: 'default', name: 'Default Worker', tabCount: all.length, tabs: all };
  const head = { sessionId: 'default', defaultWorkerId: 'default', workerCount: 1, tabCount: all.length };
  return JSON.stringify({ ...head, workers: [worker] }, null, 2);
}

async function openTab(url: string): Promise<string> {
  const page = await (await opened()).newPage();
  const tabId = adopt(page);
  await page.goto(url);
  return JSON.stringify({ action: 'navigate', url: page.url(), title: await page.title(), tabId, created: true });
}

async function perform(name: string, args: Args): Promise<string> {
  if (name === 'tabs_context') return listTabs();
  if (name === 'tabs_create' || (name === 'navigate' && args['tabId'] === undefined))
    return openTab(String(args['url']));
  const page = pageOf(args['tabId']);
  switch (name) {
    case 'navigate': {
      const url = String(args['url']);
      if (url === 'back') await page.goBack();
      else if (url === 'forward') await page.goForward();
      else await page.goto(url);
      return JSON.stringify({ action: 'navigate', url: page.url() });
    }
    case 'page_reload':
      await page.reload();
      return JSON.stringify({ action: 'page_reload', url: page.url() });
    case 'tabs_close':
      await page.close();
      return JSON.stringify({ success: true, closedCount: 1, closed: [args['tabId']], message: 'Closed 1 tab(s)' });
    case 'read_page':
      return `${page.url()}\n${await page.locator('body').innerText()}`;
    case 'computer':
      return computer(page, args);
    case 'javascript_tool':
      return ran(page, String(args['code']));
    case 'wait_for':
      return waited(page, args);
    case 'drag_drop':
      // It sends drop events, which move nothing, and reports success.
      return JSON.stringify({ action: 'drag_drop', message: 'Dragged' });
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

/** Reads and failures in a row: three are stalling, five are stuck, and a result says so beside its answer. */
let idle = 0;
function hintOf(name: string, isError: boolean): Record<string, unknown> {
  idle = isError || name === 'read_page' || name === 'tabs_context' ? idle + 1 : 0;
  if (idle < 3) return {};
  const rule = idle < 5 ? 'progress-tracker-stalling' : 'progress-tracker-stuck';
  return {
    _hint: 'Recent tool calls are not making progress.',
    _hintMeta: { severity: 'warning', rule, fireCount: 1 },
  };
}

const server = new Server({ name: 'openchrome', version: 'stand-in' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
  let answer: { text: string; isError: boolean };
  try {
    const checked = schemas.get(name)?.safeParse(args);
    if (checked?.success !== true) throw new Error(`Schema of ${name}: ${checked?.error?.message ?? 'no such tool'}`);
    answer = { text: await perform(name, args), isError: false };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    answer = { text: error instanceof Answer ? said : `Error: ${said}`, isError: true };
  }
  const extra: Record<string, unknown> = { _timing: { durationMs: 1 }, ...hintOf(name, answer.isError) };
  const hint = { type: 'text' as const, text: `\n${String(extra['_hint'] ?? 'Hint: read_page shows what changed.')}` };
  return { content: [{ type: 'text', text: answer.text }, hint], isError: answer.isError, ...extra };
});
await server.connect(new StdioServerTransport());
process.stdin.once('end', () => process.exit(0));
