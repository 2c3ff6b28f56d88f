/** Scrolls by the wheel, or scrolls an element into view. */
import { aimAt, Stale, withElement } from '../act.ts';
import type { Call } from '../call.ts';
import { wheel } from '../input.ts';
import type { Locator } from '../locator.ts';
import type { Place } from '../place.ts';
import type { Tab } from '../tab.ts';

const SETTLE_MS = 1_000;
const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;

export function scrollTo(call: Call, tab: Tab, locator: Locator): Promise<string> {
  return withElement(call, tab, locator, async ({ place, number }) => {
    const done = await place.ask('scrollIntoView', { number }, call.signal);
    return 'line' in done ? `Scrolled to ${done.line}.` : new Stale(done.message);
  });
}

export async function scrollBy(
  call: Call,
  tab: Tab,
  locator: Locator | undefined,
  direction: keyof typeof WAYS,
  amount: number,
): Promise<string> {
  const by = [WAYS[direction][0] * amount, WAYS[direction][1] * amount] as const;
  const { place, number, point } = await pointOf(call, tab, locator);
  const before = await place.ask('scrollWatch', { number, by }, call.signal);
  const { x, y } = point ?? { x: before.middle[0], y: before.middle[1] };
  if (!before.done) await wheel(tab.page.session, x, y, by, call.signal);
  const after = await place.ask('scrollSettled', { ms: Math.min(SETTLE_MS, call.waitMs) }, call.signal);
  const moved = Math.abs(after.x - before.x) + Math.abs(after.y - before.y);
  if (after.events === 0) return `Nothing scrolled: it is at its end, or there is nothing more ${direction}.`;
  return `Scrolled ${direction}${moved > 0 ? ` by ${moved} pixels, to ${after.x}, ${after.y}` : ''}.`;
}

interface ScrollPoint {
  place: Place;
  number?: number;
  point?: { x: number; y: number };
}

async function pointOf(call: Call, tab: Tab, locator: Locator | undefined): Promise<ScrollPoint> {
  if (!locator) return { place: await tab.main(call.signal) };
  return withElement(call, tab, locator, async (found) => {
    const aim = await aimAt(call, found, { purpose: 'hover' });
    if (aim instanceof Stale) return aim;
    await found.place.ask('verdict', {}, call.signal);
    return { place: found.place, number: found.number, point: aim };
  });
}
