/** The web app as people have it: the server of `waymark serve` on PGlite in a temporary folder, the built app, one Chromium. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { cachedWeb } from '../../scripts/build-web.ts';
import { findBrowser } from '../../src/chromium/index.ts';
import { databaseSource, RunFolders, type StartedRuns } from '../../src/runs/index.ts';
import {
  apiRoutes,
  type Fixtures,
  type RouteModule,
  type RunningServer,
  runFolderRoutes,
  startedRunRoutes,
  startServer,
} from '../../src/server/index.ts';
import { FolderArtifacts, openStore, Queue, type Store } from '../../src/store/index.ts';
import { KEYS } from '../browser-harness/samples.ts';

/** The file that a button or a link lets people save, as text. */
export async function savedBy(button: Locator): Promise<string> {
  const [download] = await Promise.all([button.page().waitForEvent('download'), button.click()]);
  return readFileSync(await download.path(), 'utf8');
}

/** For `expect.poll`: a page shows what the server said a moment later. */
export const SOON = { timeout: 60_000, interval: 25 };

export interface WebApp extends AsyncDisposable {
  server: RunningServer;
  store: Store;
  artifacts: FolderArtifacts;
  browser: Browser;
  /** Without a slash at the end. */
  origin: string;
  /** A page in a context of its own, at a path of the app such as `/runs`. All that goes wrong in it is kept in `faults`. */
  open(pathname: string, options?: BrowserContextOptions & { origin?: string }): Promise<Page>;
  /** Another address of the same data, which asks for a token. It has no workers. */
  serveWithToken(token: string): Promise<{ origin: string } & AsyncDisposable>;
  /** Errors of the console, of scripts and of the content policy. A test ends with them being empty. */
  faults: string[];
  api(method: string, pathname: string, body?: unknown): Promise<Record<string, unknown>>;
  upload(pathname: string, bytes: Uint8Array | string): Promise<Record<string, unknown>>;
}

export interface WebAppOptions {
  /** Beside the Browser Harness's; they may show the same folders of runs. */
  routeModules?: (folders: RunFolders) => readonly RouteModule[];
  /** Chat pages to practise on. */
  fixtures?: Fixtures;
  /** Folders of runs that are shown. */
  runs?: readonly string[];
  /** Runs of tasks that it may start; they have their routes. */
  started?: StartedRuns;
}

export async function openWebApp({
  routeModules = () => [],
  fixtures,
  runs = [],
  started,
}: WebAppOptions = {}): Promise<WebApp> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-web-'));
  const [webFolder, snapshot] = await Promise.all([cachedWeb(), cachedSnapshot()]);
  const store = await openStore({ data: path.join(folder, 'data'), snapshot });
  const queue = await Queue.start(store);
  const artifacts = new FolderArtifacts(path.join(folder, 'artifacts'));
  const folders = new RunFolders(runs, (id) => databaseSource({ store, artifacts }, id));
  const harness = apiRoutes({
    keys: KEYS,
    fixtures,
    folders,
    started,
    judgeLimits: { attempts: 2, backoffMs: 1, maxBackoffMs: 2, timeoutMs: 5_000 },
  });
  const options = {
    store,
    artifacts,
    version: '1.2.3',
    host: '127.0.0.1',
    port: 0,
    webFolder,
    allowLocalProviders: true,
    drainMs: 500,
    log: (line: string) => process.stderr.write(`${line}\n`),
  };
  const server = await startServer({
    ...options,
    queue,
    routeModules: [harness, runFolderRoutes(folders), startedRunRoutes(folders, started), ...routeModules(folders)],
  });
  const browser = await launchChromium();
  const origin = server.url.replace(/\/$/, '');
  const faults: string[] = [];
  const read = async (response: Response) => {
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  };
  return {
    server,
    store,
    artifacts,
    browser,
    origin,
    faults,
    async open(pathname, { origin: at = origin, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, ...options });
      const page = await context.newPage();
      watch(page, faults);
      await page.goto(`${at}/app${pathname}`);
      return page;
    },
    async serveWithToken(token) {
      const { start: _, ...routes } = harness;
      const guarded = await startServer({ ...options, token, queue: await Queue.start(store), routeModules: [routes] });
      return { origin: guarded.url.replace(/\/$/, ''), [Symbol.asyncDispose]: () => guarded.stop() };
    },
    api: async (method, pathname, body) =>
      read(
        await fetch(
          origin + pathname,
          body === undefined
            ? { method }
            : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        ),
      ),
    upload: async (pathname, bytes) =>
      read(
        await fetch(origin + pathname, {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream' },
          body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
        }),
      ),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function launchChromium(): Promise<Browser> {
  const found = findBrowser();
  if (!found) throw new Error('No browser: run the tests by `npm test`, which finds or installs one.');
  return await chromium.launch({
    executablePath: found.path,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  });
}

/** Answers that are problems are logged by the browser as errors: those a test provokes on purpose are no faults of the app. */
const isAnswer = (text: string): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

function watch(page: Page, faults: string[]): void {
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !isAnswer(text)) faults.push(`${page.url()}: ${text}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
}
