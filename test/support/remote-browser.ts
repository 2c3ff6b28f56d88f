/** A browser that the harness did not start: with a debugging port, its own profile, and no entry in the process registry. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findBrowser } from '../../src/chromium/index.ts';

export async function startRemoteBrowser() {
  const browser = findBrowser();
  if (!browser) throw new Error('No browser: run the tests by `npm test`, which finds or installs one.');
  const profile = mkdtempSync(path.join(tmpdir(), 'waymark-remote-'));
  const flags = ['--remote-debugging-port=0', '--no-first-run', `--user-data-dir=${profile}`, 'about:blank'];
  if (browser.kind === 'chrome') flags.unshift('--headless=new');
  if (process.getuid?.() === 0) flags.unshift('--no-sandbox');
  const child = spawn(browser.path, flags, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const exited = once(child, 'exit');
  let address = '';
  for await (const line of createInterface({ input: child.stderr })) {
    address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1] ?? '';
    if (address) break;
  }
  child.stderr.resume();
  if (!address) throw new Error(`${browser.path} printed no DevTools address`);
  const { pid = 0 } = child;
  return {
    pid,
    wsAddress: address,
    httpAddress: `http://${new URL(address).host}`,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async [Symbol.asyncDispose](): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}
