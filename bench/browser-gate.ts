/**
 * The gate against a direct connection, to the same browser in the same run: that browser also opens a debugging port, which ours never do.
 * (The calls of the directly connected server go to a second browser of the same kind.)
 * Raw round trips show what the gate itself costs; the calls of a real server show what of it an agent would notice.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startFixtureServer } from '../fixtures/server.ts';
import { Browser, type FoundBrowser, Gate, Pool, processesWith } from '../src/chromium/index.ts';
import { type BenchRow, inTurns, median } from './measure.ts';

const PLAYWRIGHT = path.join(import.meta.dirname, '../servers/node_modules/@playwright/mcp/cli.js');

export async function benchGate(browser: FoundBrowser, rounds: number): Promise<BenchRow[]> {
  await using server = await startFixtureServer();
  const start = (): Promise<Browser> =>
    Browser.launch({ browser, resolverRules: server.resolverRules, extraFlags: ['--remote-debugging-port=0'] });
  await using pool = new Pool({ slots: 2, start });
  const { slot } = await pool.acquire();
  const owned = slot.host.browser;
  await using gate = await Gate.open({
    connection: owned.connection,
    contextId: slot.contextId,
    contexts: slot,
    product: owned.identity.product,
  });
  const direct = debuggingAddress(owned.pid ?? 0);
  // A server that is connected directly takes whatever tab comes first, of any context: it needs a browser of its own to be compared with.
  await using plain = await start();
  const plainAddress = debuggingAddress(plain.pid ?? 0);
  return [
    ...(await rawRoundTrips(gate, direct, server.origin, rounds)),
    ...(await serverCalls(gate, plainAddress, server.origin, rounds)),
  ];
}

async function rawRoundTrips(gate: Gate, direct: string, origin: string, rounds: number): Promise<BenchRow[]> {
  const [viaGate, straight] = await Promise.all([openPage(gate.wsAddress, origin), openPage(direct, origin)]);
  const work = (page: Page, expression: string) => () =>
    page.send('Runtime.evaluate', { expression, returnByValue: true });
  const big = `'x'.repeat(1_000_000)`;
  const times = await inTurns(rounds, {
    smallGate: work(viaGate, '1'),
    smallDirect: work(straight, '1'),
    bigGate: work(viaGate, big),
    bigDirect: work(straight, big),
    shotGate: () => viaGate.send('Page.captureScreenshot', { format: 'jpeg', quality: 80 }),
    shotDirect: () => straight.send('Page.captureScreenshot', { format: 'jpeg', quality: 80 }),
  });
  await Promise.all([viaGate.close(), straight.close()]);
  return [
    ...pair('evaluate 1', times.smallGate, times.smallDirect),
    ...pair('evaluate 1 MB', times.bigGate, times.bigDirect),
    ...pair('screenshot', times.shotGate, times.shotDirect),
  ];
}

async function serverCalls(gate: Gate, direct: string, origin: string, rounds: number): Promise<BenchRow[]> {
  await using viaGate = await playwright(gate.httpAddress);
  await using straight = await playwright(direct);
  for (const one of [viaGate, straight]) await one.call('browser_navigate', { url: `${origin}/small` });
  const times = await inTurns(Math.max(8, Math.round(rounds / 3)), {
    navigateGate: () => viaGate.call('browser_navigate', { url: `${origin}/small` }),
    navigateDirect: () => straight.call('browser_navigate', { url: `${origin}/small` }),
    snapshotGate: () => viaGate.call('browser_snapshot', {}),
    snapshotDirect: () => straight.call('browser_snapshot', {}),
    clickGate: () => viaGate.call('browser_click', { target: '#bump', element: 'button' }),
    clickDirect: () => straight.call('browser_click', { target: '#bump', element: 'button' }),
  });
  return [
    ...pair('@playwright/mcp navigate', times.navigateGate, times.navigateDirect, 1.05),
    ...pair('@playwright/mcp snapshot', times.snapshotGate, times.snapshotDirect, 1.05),
    ...pair('@playwright/mcp click', times.clickGate, times.clickDirect, 1.05),
  ];
}

function pair(name: string, gated: number[], direct: number[], goal?: number): BenchRow[] {
  return [
    { name: `${name}: direct`, value: median(direct), unit: 'ms' },
    { name: `${name}: through the gate`, value: median(gated), unit: 'ms' },
    { name: `${name}: ratio`, value: median(gated) / median(direct), unit: '×', goal },
  ];
}

interface Page {
  send(method: string, params: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** A page by plain WebSocket, as any client of the protocol has it. */
async function openPage(address: string, origin: string): Promise<Page> {
  const client = await Browser.connect(address);
  const { root } = client.connection;
  const { targetId } = await root.send('Target.createTarget', { url: `${origin}/small` });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const session = client.connection.session(sessionId);
  await session.send('Page.enable');
  return {
    send: (method, params) => session.send(method as 'Runtime.evaluate', params as never),
    close: async () => {
      await root.send('Target.closeTarget', { targetId });
      client.connection.close();
    },
  };
}

async function playwright(address: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-'));
  // The 500 ms that it waits for a page to settle would hide everything else.
  const args = [PLAYWRIGHT, '--cdp-endpoint', address, '--timeout-settle', '0', '--snapshot-mode', 'none'];
  const client = new Client({ name: 'waymark-bench', version: '0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'ignore' }));
  return {
    async call(name: string, args: Record<string, unknown>): Promise<void> {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError) throw new Error(JSON.stringify(result.content));
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where a browser that was also given a port says that it listens. */
function debuggingAddress(pid: number): string {
  const flags = processesWith('--user-data-dir=').find((one) => one.pid === pid)?.commandLine ?? '';
  const profile = /--user-data-dir=(\S+)/.exec(flags)?.[1] ?? '';
  const [port, browserPath] = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return `ws://127.0.0.1:${port}${browserPath}`;
}
