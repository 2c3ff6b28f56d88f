/** Runs the tutorial of the Browser Harness as written; the browser part uses a real browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { customSelectors } from '../../fixtures/chat/pages.ts';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { Browser, ensureBrowser, Pool } from '../../src/chromium/index.ts';
import { openStore } from '../../src/store/index.ts';
import { plainEnvironment, runProcess } from '../repository/run-process.ts';
import { matcher, partsOf } from './typed-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'wm-chat-'));
const bin = path.join(folder, 'bin');
const work = path.join(folder, 'work');
const downloads = path.join(folder, 'downloads');
for (const place of [bin, work, downloads]) mkdirSync(place);
const shim = path.join(bin, 'waymark');
writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'src/cli/main.ts')}" "$@"\n`);
chmodSync(shim, 0o755);
const env = plainEnvironment({ PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1' });
const ended: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ended.reverse()) await end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Two adjacent ports, as on the page. */
async function freePorts(): Promise<number> {
  const isFree = async (port: number) => {
    const server = createServer().listen(port, '127.0.0.1');
    const bound = await Promise.race([
      once(server, 'listening').then(() => (server.address() as { port: number }).port),
      once(server, 'error').then(() => undefined),
    ]);
    server.close();
    return bound;
  };
  for (;;) {
    const port = await isFree(0);
    if (port !== undefined && (await isFree(port + 1)) !== undefined) return port;
  }
}

/** The user's part: open the page, paste the script into the console, get the saved file. */
async function runInBrowser(address: string): Promise<Buffer> {
  const browser = ensureBrowser(() => {});
  await using pool = new Pool({
    slots: 1,
    start: () => Browser.launch({ browser }),
    witness: { downloadFolder: downloads },
  });
  const { slot } = await pool.acquire();
  const { session } = slot.firstPage;
  const loaded = session.next('Page.loadEventFired');
  await session.send('Page.navigate', { url: address });
  await loaded;
  const script = readFileSync(path.join(work, 'run.js'), 'utf8');
  // At the speed of a person it would take half a minute.
  const quick = { quiet_ms: 250, pace_ms: 20, poll_ms: 50 };
  const hurried = script.replace('"settings":{}', `"settings":${JSON.stringify(quick)}`);
  expect(hurried).not.toBe(script);
  await session.send('Runtime.evaluate', { expression: hurried });
  const saved = () => slot.witness.downloads.entries.find(({ state }) => state === 'completed');
  const { guid, suggestedFilename } = await vi.waitFor(() => saved() ?? expect.fail('no file yet'), {
    timeout: 60_000,
    interval: 50,
  });
  expect(suggestedFilename).toMatch(/\.eval752\.zip$/);
  return readFileSync(path.join(downloads, guid));
}

/** Starts a process that keeps running, and returns its output until it is ready. */
async function keepRunning(line: string): Promise<string> {
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  ended.push(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await vi.waitFor(() => expect(said).toContain('Press Ctrl-C to stop.'), { timeout: 60_000, interval: 50 });
  return said;
}

test('the command-line part works as written, with the script in a real browser', async () => {
  // As in the package; the first start of a checkout creates all tables, which takes ten seconds.
  await (await openStore({ data: path.join(work, '.waymark/data'), snapshot: await cachedSnapshot() })).close();
  const port = await freePorts();
  const page = readFileSync(path.join(root, 'docs/tutorial/score-a-chat-page.md'), 'utf8')
    .replaceAll('7520', String(port))
    .replaceAll('7521', String(port + 1))
    .replace('waymark serve --fixtures', `waymark serve --fixtures --port ${port}`);
  const parts = partsOf(page);
  expect(parts).toHaveLength((page.match(/^```/gm) ?? []).length / 2);
  expect(parts.filter((part) => part.do === 'type').length).toBeGreaterThanOrEqual(6);
  /** The values of `<dataset id>` and `<run id>`, from the output. */
  const known = new Map<string, string>();
  const withIds = (text: string) => text.replace(/<(\w+ id)>/g, (whole, name: string) => known.get(name) ?? whole);
  let said = '';
  for (const part of parts) {
    if (part.do === 'write') writeFileSync(path.join(work, part.file), part.text);
    else if (part.do === 'expect') {
      const text = `${said.trimEnd()}\n`;
      for (const [, name = ''] of part.lines.join('\n').matchAll(/<(\w+ id)>/g)) {
        if (!known.has(name)) known.set(name, /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? '');
      }
      expect(text, text).toMatch(matcher(part.lines.map(withIds)));
    } else if (part.line.includes('waymark serve')) said = await keepRunning(part.line);
    else {
      if (part.line.includes('import-capture') && !known.has('run id')) {
        const capture = await runInBrowser(`http://127.0.0.1:${port + 1}/chat/chatgpt`);
        writeFileSync(path.join(work, 'capture.eval752.zip'), capture);
      }
      const done = await runProcess('sh', ['-c', `exec 2>&1\n${withIds(part.line)}`], { cwd: work, env });
      said = done.out;
      if (done.code !== 0) throw new Error(`${part.line} ended with ${done.code}: ${said}`);
    }
  }
  // The page that the web app offers as “Use the fixture page”.
  const origin = `http://127.0.0.1:${port + 1}`;
  const presets = await (await fetch(`http://127.0.0.1:${port}/browser-harness/presets`)).json();
  expect(presets).toMatchObject({
    presets: [
      { name: 'chatgpt', fixture: { origin, url: `${origin}/chat/chatgpt` } },
      { name: 'gemini', fixture: { origin, url: `${origin}/chat/gemini` } },
      { name: 'custom', fixture: { origin, url: `${origin}/chat/custom`, selectors: customSelectors } },
    ],
  });
});
