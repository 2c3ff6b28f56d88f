/**
 * What the guard of side effects costs a request: the same requests in two contexts of one browser, in turns, of which one is guarded. Requests
 * that could write are held until the harness has looked at them; pictures, styles and scripts are not.
 */
import { startFixtureServer } from '../fixtures/server.ts';
import { Browser, type FoundBrowser, type NetworkPolicy, Pool, type Slot } from '../src/chromium/index.ts';
import { type BenchRow, inTurns, median } from './measure.ts';

/** In one evaluation, one after the other: the evaluation itself is then a small part of it. */
const REQUESTS = 20;

const KINDS = {
  'fetch, GET': `fetch('/small', { cache: 'no-store' }).then((response) => response.text())`,
  'fetch, POST': `fetch('/small', { method: 'POST', body: 'x' }).then((response) => response.text())`,
  // The page is no picture: that it can't be drawn does not matter, it is asked for all the same.
  'picture, not held': `new Promise((resolve) => { const image = new Image(); image.onload = image.onerror = resolve; image.src = '/small?' + Math.random(); })`,
} as const;

export async function benchGuard(browser: FoundBrowser, rounds: number): Promise<BenchRow[]> {
  await using server = await startFixtureServer();
  await using pool = new Pool({
    slots: 2,
    start: () => Browser.launch({ browser, resolverRules: server.resolverRules }),
  });
  const open = async (network: NetworkPolicy): Promise<Slot> => {
    const { slot } = await pool.acquire();
    await slot.witness.configure({ network });
    await load(slot, `${server.origin}/small`);
    return slot;
  };
  const plain = await open({ mode: 'live' });
  const guarded = await open({ mode: 'guarded', allowWrites: [] });
  const rows: BenchRow[] = [];
  for (const [name, request] of Object.entries(KINDS)) {
    const times = await inTurns(rounds, { plain: () => ask(plain, request), guarded: () => ask(guarded, request) });
    rows.push(...pair(name, times, REQUESTS));
  }
  const navigations = await inTurns(rounds, {
    plain: () => load(plain, `${server.origin}/small`),
    guarded: () => load(guarded, `${server.origin}/small`),
  });
  return [...rows, ...pair('a page, loaded', navigations, 1)];
}

async function load({ firstPage: { session } }: Slot, url: string): Promise<void> {
  await Promise.all([session.next('Page.loadEventFired'), session.send('Page.navigate', { url })]);
}

async function ask({ firstPage: { session } }: Slot, request: string): Promise<void> {
  const expression = `(async () => { for (let i = 0; i < ${REQUESTS}; i++) await ${request}; })()`;
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
}

function pair(name: string, times: Record<'plain' | 'guarded', number[]>, requests: number): BenchRow[] {
  const [plain, guarded] = [median(times.plain) / requests, median(times.guarded) / requests];
  return [
    { name: `${name}: without`, value: plain, unit: 'ms' },
    { name: `${name}: guarded`, value: guarded, unit: 'ms' },
    { name: `${name}: ratio`, value: guarded / plain, unit: '×' },
  ];
}
