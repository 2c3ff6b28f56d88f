/** A real tool server from npm, attached through a gate to one slot. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Gate, type Slot } from '../../src/chromium/index.ts';

const MODULES = path.join(import.meta.dirname, '../../servers/node_modules');

const SERVERS = {
  playwright: (gate: Gate) => [path.join(MODULES, '@playwright/mcp/cli.js'), '--cdp-endpoint', gate.httpAddress],
  'chrome-devtools': (gate: Gate) => [
    path.join(MODULES, 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'),
    '--wsEndpoint',
    gate.wsAddress,
    '--no-usage-statistics',
    '--no-performance-crux',
  ],
};

export async function attachServer(kind: keyof typeof SERVERS, slot: Slot) {
  const gate = await Gate.open(gateOptions(slot));
  // Servers write files into their working folder.
  const folder = mkdtempSync(path.join(tmpdir(), `waymark-${kind}-`));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: SERVERS[kind](gate),
    cwd: folder,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'waymark-test', version: '0' });
  await client.connect(transport);
  return {
    gate,
    async call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
      const result = await client.callTool({ name, arguments: args });
      const content = result.content as { type: string; text?: string }[];
      return { text: content.map(({ text }) => text ?? '').join('\n'), isError: result.isError === true };
    },
    retarget: (to: Slot) => gate.retarget(gateOptions(to)),
    async [Symbol.asyncDispose](): Promise<void> {
      await client.close();
      await gate.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function gateOptions(slot: Slot) {
  const { connection, identity } = slot.house.browser;
  return {
    connection,
    contextId: slot.contextId,
    product: identity.product,
    onDrive: (targetId: string) => slot.witness.use(targetId),
  };
}
