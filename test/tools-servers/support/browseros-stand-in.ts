/**
 * Not BrowserOS: a stand-in with the tools that its profile relies on, over HTTP, on a browser of its own. Neither BrowserOS nor its schemas
 * were at hand, so that this shows the way (HTTP, an own browser that the witness visits) and not that the names are right.
 */
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { chromium } from 'playwright-core';
import { z } from 'zod';

/** `cdpAddress`: the browser that is "its own". */
export async function startBrowserOs(cdpAddress: string) {
  const browser = await chromium.connectOverCDP(cdpAddress);
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error('the browser has no page');
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
  const mcp = (): McpServer => {
    const server = new McpServer({ name: 'browseros', version: 'stand-in' });
    server.registerTool('list_pages', {}, () => text(`1: ${page.url()}`));
    server.registerTool('navigate_page', { inputSchema: { url: z.string() } }, async ({ url }) => {
      await page.goto(url);
      return text(`Navigated to ${page.url()}`);
    });
    server.registerTool('take_snapshot', {}, async () => text(await page.locator('body').ariaSnapshot()));
    server.registerTool('click', { inputSchema: { selector: z.string() } }, async ({ selector }) => {
      await page.click(selector, { timeout: 1_000 });
      return text('Clicked');
    });
    return server;
  };
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await mcp().connect(transport as never);
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
      await browser.close();
    },
  };
}
