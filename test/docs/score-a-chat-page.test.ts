/** Follows the tutorial of the Browser Harness as written, on a machine whose own Node is too old; both parts use a real browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { customSelectors } from '../../fixtures/chat/pages.ts';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { openStore } from '../../src/store/index.ts';
import { runProcess } from '../repository/run-process.ts';
import { launchChromium } from '../web/app.ts';
import { HarnessPage } from '../web/harness.ts';
import { oldNodeMachine } from './old-node-machine.ts';
import { matcher, type Part, partsOf } from './typed-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { home, env, ...machine } = oldNodeMachine();
const work = path.join(home, 'work');
mkdirSync(work);
const ended: (() => unknown)[] = [machine[Symbol.dispose]];

let port: number;
let text: string;
let parts: Part[];
let browser: Browser;
beforeAll(async () => {
  // As after the first start, which creates all tables and takes some seconds.
  await (await openStore({ data: path.join(home, 'waymark-practice'), snapshot: await cachedSnapshot() })).close();
  browser = await launchChromium();
  ended.push(() => browser.close());
  port = await freePorts();
  text = readFileSync(path.join(root, 'docs/tutorial/score-a-chat-page.md'), 'utf8')
    .replaceAll('7520', String(port))
    .replaceAll('7521', String(port + 1))
    .replace('npm run serve -- ', `npm run serve -- --port ${port} `);
  parts = partsOf(text);
  expect(parts).toHaveLength((text.match(/^```/gm) ?? []).length / 2);
  expect(parts.filter((part) => part.do === 'type').length).toBeGreaterThanOrEqual(8);
  // What comes before both parts: the server, what it prints, and the questions.
  const [serve, printed, questions] = parts.splice(0, 3);
  if (serve?.do !== 'type' || printed?.do !== 'expect' || questions?.do !== 'write') throw new Error('another order');
  expect(serve.line).toMatch(/npm run serve/);
  expect(await keepRunning(serve.line)).toMatch(matcher(printed.lines));
  writeFileSync(path.join(work, questions.file), questions.text);
}, 240_000);
afterAll(async () => {
  for (const end of ended.reverse()) await end();
});

/** Two adjacent ports, as on the page. */
async function freePorts(): Promise<number> {
  const isFree = async (wanted: number) => {
    const server = createServer().listen(wanted, '127.0.0.1');
    const bound = await Promise.race([
      once(server, 'listening').then(() => (server.address() as { port: number }).port),
      once(server, 'error').then(() => undefined),
    ]);
    server.close();
    return bound;
  };
  for (;;) {
    const free = await isFree(0);
    if (free !== undefined && (await isFree(free + 1)) !== undefined) return free;
  }
}

/** Starts a command that keeps running, and returns its output until it is ready. */
async function keepRunning(line: string): Promise<string> {
  // A group of its own: npm, and the server that it starts.
  const child = spawn('sh', ['-c', line], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const closed = once(child, 'close');
  ended.push(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await closed;
  });
  let said = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await Promise.race([
    vi.waitFor(() => expect(said).toContain('Press Ctrl-C to stop.'), { timeout: 180_000, interval: 50 }),
    closed.then(() => {
      throw new Error(`The server has ended: ${said}${errors}`);
    }),
  ]);
  return said;
}

/** The user's part on the chat page: paste the script into the console, get the saved file. */
async function capture(chat: Page, script: string): Promise<{ name: string; bytes: Buffer }> {
  const download = chat.waitForEvent('download', { timeout: 60_000 });
  await chat.evaluate(script);
  const saved = await download;
  return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) };
}

test('in the web app: every name in bold is on the page, where the tutorial says', { timeout: 180_000 }, async () => {
  const section = /^## In the web app$(.*?)^## /ms.exec(text)?.[1] ?? '';
  const named = [...section.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
  /** Takes the next name of the page, so that the test cannot press what the tutorial does not say. */
  const next = (name: string) => {
    expect(named.shift()).toBe(name);
    return name;
  };
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const press = (name: string) => page.getByRole('button', { name: next(name), exact: true }).click();
  await page.goto(/Open `(.+?)`/.exec(section)?.[1] ?? '');
  await page.getByRole('link', { name: next('Datasets'), exact: true }).click();
  await press('Upload a dataset');
  await page.getByLabel('File').setInputFiles(path.join(work, 'questions.jsonl'));
  await page.getByLabel('Name').fill('Practice');
  await press('Upload');
  await page.getByRole('link', { name: next('Make a pack') }).click();
  expect(await page.getByRole('radio', { name: next('ChatGPT') }).isChecked()).toBe(true);
  await press('Use the fixture page');
  // At the speed of a person it would take half a minute.
  await new HarnessPage(page).hurry();
  await page.getByText('Ready: 4 prompts can be packed.').waitFor();
  expect(section).toContain('“Ready: 4 prompts can be packed.”');
  await press('Make the pack');
  await press('Copy the script');
  await page.getByRole('status').getByText('Script copied.').waitFor();
  const script = await page.evaluate(() => navigator.clipboard.readText());
  const [chat] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: next('the fixture page') }).click(),
  ]);
  expect(chat.url()).toBe(`http://127.0.0.1:${port + 1}/chat/chatgpt`);
  const { name, bytes } = await capture(chat, script);
  expect(name).toMatch(/\.eval752\.zip$/);
  await press('Import a capture');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('or choose files').setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });
  await dialog.getByRole('link', { name: next('Open the run') }).click();
  await page.getByText('3 of 4 scored').waitFor();
  expect(await page.locator('.items > li').first().innerText()).toMatch(/australia.*Sydney/s);
  expect(named).toEqual([]);
  await context.close();
});

test('on the command line: every command works as written, with the script in a real browser', async () => {
  /** The values of `<dataset id>` and `<run id>`, from the output. */
  const known = new Map<string, string>();
  const withIds = (line: string) => line.replace(/<(\w+ id)>/g, (whole, name: string) => known.get(name) ?? whole);
  let said = '';
  let aliases = '';
  for (const part of parts) {
    if (part.do === 'write') writeFileSync(path.join(work, part.file), part.text);
    else if (part.do === 'expect') {
      const out = `${said.trimEnd()}\n`;
      for (const [, name = ''] of part.lines.join('\n').matchAll(/<(\w+ id)>/g)) {
        if (!known.has(name)) known.set(name, /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(out)?.[0] ?? '');
      }
      expect(out, out).toMatch(matcher(part.lines.map(withIds)));
    } else if (part.line.startsWith('alias ')) aliases += part.line;
    else {
      if (part.line.includes('import-capture') && !known.has('run id')) {
        const script = readFileSync(path.join(work, 'run.js'), 'utf8');
        const quick = { quiet_ms: 250, pace_ms: 20, poll_ms: 50 };
        const hurried = script.replace('"settings":{}', `"settings":${JSON.stringify(quick)}`);
        expect(hurried).not.toBe(script);
        const chat = await browser.newPage();
        await chat.goto(`http://127.0.0.1:${port + 1}/chat/chatgpt`);
        writeFileSync(path.join(work, 'capture.eval752.zip'), (await capture(chat, hurried)).bytes);
      }
      const done = await runProcess('sh', ['-c', `exec 2>&1\n${aliases}${withIds(part.line)}`], { cwd: work, env });
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
