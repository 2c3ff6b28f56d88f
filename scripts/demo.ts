/**
 * `npm run demo`: fixture pages in parallel slots, a foreign tool server confined to one of them, and a witness that reports what it saw;
 * written up as one HTML page.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startFixtureServer } from '../fixtures/server.ts';
import { Browser, findBrowser, Pool, reapOrphans, type Slot } from '../src/chromium/index.ts';
import { attachServer } from '../test/support/foreign-server.ts';
import { type DemoCard, type DemoStep, demoPage } from './demo/page.ts';

const PAGES = ['/form', '/wizard', '/frames', '/shadow', '/nodes?n=5000', '/coordinates'];
const SLOTS = 3;
const OUT = path.join('.waymark', 'demo', 'index.html');

const started = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);

const reaped = reapOrphans();
if (reaped.length > 0) say(`removed what ${reaped.length} crashed run(s) had left behind`);

const found = findBrowser();
if (!found) throw new Error('No browser: `npm run demo` finds or installs one; start it that way.');
await using server = await startFixtureServer();
await using pool = new Pool({
  slots: SLOTS,
  start: () => Browser.launch({ browser: found, resolverRules: server.resolverRules }),
  onEvent: (event) => {
    if (event.type === 'browser_started')
      say(`${event.product} is up, by pipe: no debugging port is open on this machine`);
    if (event.type === 'browser_lost') say(`a browser was lost (${event.reason}); another one takes its place`);
  },
});

say(`fixture pages at ${server.origin}, a name that only this browser resolves`);
const [cards, steps] = await Promise.all([Promise.all(PAGES.map(visit)), foreign()]);

mkdirSync(path.dirname(OUT), { recursive: true });
writeFileSync(OUT, demoPage({ browser: pool.browsers[0]?.identity.product ?? '', cards, steps }));
say(`done. Open ${OUT}`);

/** One fixture page in a slot of its own. */
async function visit(pagePath: string): Promise<DemoCard> {
  const { slot, proof } = await pool.acquire();
  await using held = slot;
  const { session } = held.firstPage;
  await Promise.all([
    session.next('Page.loadEventFired'),
    session.send('Page.navigate', { url: server.origin + pagePath }),
  ]);
  const seen = await held.witness.observe();
  const card: DemoCard = {
    path: pagePath,
    clean: proof.clean,
    title: seen.title,
    elements: seen.main?.elements ?? 0,
    actionables: seen.main?.actionables ?? 0,
    frames: seen.frames.length,
    requests: seen.counters.network,
    dom: seen.dom ?? '',
    picture: await picture(held),
  };
  say(
    `${pagePath.padEnd(14)} ${card.elements} elements, ${card.actionables} to act on, ${card.frames} frames, ${card.requests} requests`,
  );
  return card;
}

/** @playwright/mcp fills in the form; the witness says after each call what came of it. */
async function foreign(): Promise<DemoStep[]> {
  const { slot } = await pool.acquire();
  await using held = slot;
  await using playwright = await attachServer('playwright', held);
  say('@playwright/mcp is attached through the gate to one context');
  const steps: DemoStep[] = [];
  let before = await held.witness.observe();
  let snapshot = '';
  const ref = (name: RegExp): string =>
    new RegExp(`${name.source}[^\\n]*\\[ref=(\\w+)\\]`).exec(snapshot)?.[1] ?? 'not-found';
  const call = async (tool: string, args: Record<string, unknown>): Promise<void> => {
    held.witness.mark();
    const { text, isError } = await playwright.call(tool, args);
    if (tool === 'browser_snapshot') snapshot = text;
    const now = await held.witness.observe();
    const changed = (['url', 'dom', 'text', 'actionable'] as const).filter((part) => now[part] !== before[part]);
    before = now;
    steps.push({
      tool,
      args: JSON.stringify(args),
      isError,
      url: now.url,
      changed,
      requests: now.counters.network,
      picture: await picture(held),
    });
    say(
      `${tool.padEnd(24)} ${isError ? 'error' : 'ok'}; the witness saw ${changed.length ? `a change of ${changed.join(', ')}` : 'no change'}`,
    );
  };
  await call('browser_navigate', { url: `${server.origin}/form` });
  await call('browser_snapshot', {});
  await call('browser_type', { target: ref(/textbox "[^"]*[Nn]ame[^"]*"/), element: 'name', text: 'Ada Lovelace' });
  await call('browser_type', {
    target: ref(/textbox "[^"]*[Ee]-?mail[^"]*"/),
    element: 'email',
    text: 'ada@example.com',
  });
  await call('browser_select_option', { target: ref(/combobox "[^"]*"/), element: 'plan', values: ['standard'] });
  await call('browser_click', { target: ref(/checkbox "[^"]*"/), element: 'terms' });
  await call('browser_click', { target: ref(/button "[^"]*"/), element: 'submit' });
  const { main } = await held.witness.observe({ domText: ['#result', 'h1'] });
  say(`the page now says: ${JSON.stringify(main?.domText['#result'] ?? main?.domText['h1'])}`);
  const used = [...playwright.gate.methods].sort((a, b) => b[1] - a[1]).slice(0, 5);
  say(`the gate counted what the server really did: ${used.map(([method, n]) => `${method} ${n}`).join(', ')}, …`);
  return steps;
}

async function picture(slot: Slot): Promise<string> {
  const shot = await slot.witness.screenshot();
  return 'failed' in shot ? '' : `data:image/jpeg;base64,${shot.data.toString('base64')}`;
}
