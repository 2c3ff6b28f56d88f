/** What the witness adds to a step: a real click, alone and followed by a look. */
import { createHash } from 'node:crypto';
import { startFixtureServer } from '../fixtures/server.ts';
import { Browser, type FoundBrowser, Pool, type Slot } from '../src/chromium/index.ts';
import { type BenchRow, inTurns, median } from './measure.ts';

export async function benchWitness(browser: FoundBrowser, rounds: number): Promise<BenchRow[]> {
  await using server = await startFixtureServer();
  await using pool = new Pool({
    slots: 1,
    start: () => Browser.launch({ browser, resolverRules: server.resolverRules }),
  });
  const rows: BenchRow[] = [];
  for (const [label, path, goal] of [
    ['small page', '/small', 2],
    ['5,000 nodes', '/nodes?n=5000', 4],
  ] as const) {
    const { slot } = await pool.acquire();
    const { session } = slot.firstPage;
    await Promise.all([
      session.next('Page.loadEventFired'),
      session.send('Page.navigate', { url: server.origin + path }),
    ]);
    const click = await clicker(slot);
    await slot.witness.observe();
    const times = await inTurns(rounds, {
      bare: click,
      // The same page, one click later: what a step costs the agent with the witness looking.
      watched: async () => {
        await click();
        await slot.witness.observe();
      },
      floor: async () => {
        await click();
        await session.send('Runtime.evaluate', { expression: '1' });
      },
      // How it is often done: the page's HTML taken out and hashed here.
      naive: async () => {
        await click();
        const { result } = await session.send('Runtime.evaluate', { expression: 'document.documentElement.outerHTML' });
        createHash('sha256').update(String(result.value)).digest('hex');
      },
      idle: () => slot.witness.observe(),
    });
    const overhead = median(times.watched) - median(times.bare);
    rows.push(
      { name: `${label}: a click, bare`, value: median(times.bare), unit: 'ms' },
      { name: `${label}: the click and a look`, value: median(times.watched), unit: 'ms' },
      { name: `${label}: blocking overhead of the witness`, value: overhead, unit: 'ms', goal },
      { name: `${label}: ratio, watched to bare`, value: median(times.watched) / median(times.bare), unit: '×' },
      {
        name: `${label}: overhead of one empty evaluate (the floor)`,
        value: median(times.floor) - median(times.bare),
        unit: 'ms',
      },
      {
        name: `${label}: overhead of HTML out and hashed`,
        value: median(times.naive) - median(times.bare),
        unit: 'ms',
      },
      { name: `${label}: a look when nothing changed`, value: median(times.idle), unit: 'ms' },
    );
    await slot.release();
  }
  return rows;
}

/** A click as raw CDP does it, on the button that changes one text of the page. */
async function clicker(slot: Slot): Promise<() => Promise<void>> {
  const { session } = slot.firstPage;
  const expression = `(() => { const b = document.querySelector('#bump').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`;
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
  const [x, y] = result.value as [number, number];
  const at = { x, y, button: 'left', clickCount: 1 } as const;
  return async () => {
    await Promise.all([
      session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at }),
      session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }),
    ]);
  };
}
