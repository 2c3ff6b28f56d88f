/** What most flows need: the fixture server, a pool on a real browser, and short ways to drive a page. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startFixtureServer } from '../../fixtures/server.ts';
import {
  Browser,
  findBrowser,
  Pool,
  type PoolEvent,
  type PoolOptions,
  type Slot,
  type WitnessOptions,
} from '../../src/chromium/index.ts';

export interface LabOptions {
  slots?: number;
  /** `shell`, `chrome` or a path. */
  browser?: string;
  extraFlags?: string[];
  witness?: WitnessOptions;
  pool?: Partial<PoolOptions>;
}

export async function openLab(options: LabOptions = {}) {
  const server = await startFixtureServer();
  const browser = findBrowser({ wanted: options.browser });
  if (!browser) throw new Error('No browser: run the tests by `npm test`, which finds or installs one.');
  const downloads = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  const events: PoolEvent[] = [];
  const pool = new Pool({
    slots: options.slots ?? 2,
    start: () => Browser.launch({ browser, resolverRules: server.resolverRules, extraFlags: options.extraFlags }),
    witness: { downloadFolder: downloads, ...options.witness },
    onEvent: (event) => events.push(event),
    ...options.pool,
  });
  return {
    server,
    pool,
    events,
    downloads,
    async slot(): Promise<Slot> {
      return (await pool.acquire()).slot;
    },
    /** The secure origin of the fixture server: service workers, caches and the clipboard exist there. */
    secureOrigin: `http://localhost:${server.port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      await pool.close();
      await server[Symbol.asyncDispose]();
      rmSync(downloads, { recursive: true, force: true });
    },
  };
}
export type Lab = Awaited<ReturnType<typeof openLab>>;

/** What there is to drive: a slot, or a context that was opened by hand. */
export type Shown = Pick<Slot, 'witness' | 'firstPage'>;

/** Shows a page in the slot's tab and waits for its load event. */
export async function show(slot: Shown, url: string): Promise<void> {
  const { session } = slot.witness.page ?? slot.firstPage;
  const loaded = session.next('Page.loadEventFired', undefined, { timeoutMs: 15_000 });
  // Awaited later: if the navigation itself fails, that error comes first.
  loaded.catch(() => {});
  const { errorText } = await session.send('Page.navigate', { url });
  if (errorText) throw new Error(`${url}: ${errorText}`);
  await loaded;
}

/** The value of an expression in the page itself (promises are awaited). */
export async function evaluate<T>(slot: Shown, expression: string): Promise<T> {
  const { session } = slot.witness.page ?? slot.firstPage;
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

/** A real click in the middle of the element. */
export async function click(slot: Shown, selector: string): Promise<void> {
  const [x, y] = await evaluate<[number, number]>(
    slot,
    `(() => { const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()`,
  );
  const { session } = slot.witness.page ?? slot.firstPage;
  const button = { x, y, button: 'left', clickCount: 1 } as const;
  await Promise.all([
    session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button }),
    session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button }),
  ]);
}

/** Waits until the check holds, asking again after every event of the browser that could have changed it. */
export async function until(check: () => boolean | Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
