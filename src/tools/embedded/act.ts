/** Acts on elements: from a locator to real input events that are confirmed to have reached the element. */
import type { ActionEffects } from './action-effects.ts';
import type { Call } from './call.ts';
import { ToolFailure } from './failure.ts';
import type { Aim, AimRequest, Verdict } from './in-page/input-actions.ts';
import { type ClickOptions, click, tap } from './input.ts';
import type { Locator } from './locator.ts';
import { type Place, PlaceGone } from './place.ts';
import { type Found, resolve } from './resolve.ts';
import type { Tab } from './tab.ts';

/** How often a click is tried when another element covers the target at the last moment. */
const TRIES = 4;

/** Finds the element of a locator. When the page re-renders it between finding and using it, it is found again. */
export async function withElement<T>(
  call: Call,
  tab: Tab,
  locator: Locator,
  work: (found: Found) => Promise<T | Stale>,
): Promise<T> {
  for (;;) {
    const found = await resolve(call, tab, locator, { retarget: true, appearMs: call.appearMs });
    const result = await work(found);
    if (!(result instanceof Stale)) return result;
    if ('ref' in locator || call.waitMs <= 0) throw new ToolFailure('stale_ref', result.message);
  }
}

/** The element was removed during the action. This is not a failure as long as it can be found again. */
export class Stale {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** The point that hits the element, in page coordinates, through all frames around it. */
export async function aimAt(
  call: Call,
  found: Found,
  request: Omit<AimRequest, 'number' | 'waitMs'>,
): Promise<Aim | Stale> {
  const { place, number } = found;
  const aim = await place.ask('aim', { ...request, number, waitMs: call.waitMs }, call.signal);
  if (!aim.ok) {
    if (aim.kind === 'stale_ref') return new Stale(aim.message);
    throw new ToolFailure(aim.kind, aim.message);
  }
  const point = await outward(call, place, aim.x, aim.y);
  return { ...aim, ...point };
}

async function outward(call: Call, start: Place, startX: number, startY: number): Promise<{ x: number; y: number }> {
  let [x, y] = [startX, startY];
  let scrolled = false;
  for (let at = start.parent; at; at = at.place.parent) {
    const through = await at.place.ask('through', { number: at.number, x, y }, call.signal);
    if (!through.ok) throw new ToolFailure(through.kind, through.message);
    ({ x, y } = through);
    scrolled ||= through.scrolled;
  }
  // Events reach a frame of another process at the position where it was last drawn.
  if (scrolled) await start.ask('frames', { count: 2 }, call.signal);
  return { x, y };
}

export interface PointOptions {
  offset?: readonly [number, number] | undefined;
}

export function clickElement(
  call: Call,
  tab: Tab,
  after: ActionEffects,
  locator: Locator,
  options: ClickOptions & PointOptions,
): Promise<string> {
  const send = (x: number, y: number): Promise<void> => click(tab.page.session, x, y, options, call.signal);
  return pointed(call, tab, after, locator, { purpose: 'click', offset: options.offset }, send);
}

export function hoverElement(
  call: Call,
  tab: Tab,
  after: ActionEffects,
  locator: Locator,
  options: PointOptions,
): Promise<string> {
  const send = (x: number, y: number): Promise<void> => tab.pointer.move({ x, y }, call.signal);
  return pointed(call, tab, after, locator, { purpose: 'hover', offset: options.offset }, send);
}

export function tapElement(
  call: Call,
  tab: Tab,
  after: ActionEffects,
  locator: Locator,
  options: PointOptions,
): Promise<string> {
  const send = (x: number, y: number): Promise<void> => tap(tab.page.session, x, y, call.signal);
  return pointed(call, tab, after, locator, { purpose: 'click', offset: options.offset }, send);
}

/** Aims, sends the events, and checks with the guard that they arrived. Resolves with the element's line afterwards. */
async function pointed(
  call: Call,
  tab: Tab,
  after: ActionEffects,
  locator: Locator,
  request: Omit<AimRequest, 'number' | 'waitMs'>,
  send: (x: number, y: number) => Promise<void>,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const { aim, verdict, isLost } = await withElement(call, tab, locator, async (found) => {
      const aimed = await aimAt(call, found, request);
      if (aimed instanceof Stale) return aimed;
      after.sent = true;
      const arrived = await answered(
        after,
        send(aimed.x, aimed.y).then(() => found.place.ask('verdict', {}, call.signal)),
      );
      // The browser gives an event to the document above while a frame of another process has not been drawn yet. It has been answered, so it does not come later.
      const isLost = arrived?.seen === 'unseen' && found.place.session !== tab.page.session;
      return { aim: aimed, verdict: arrived, isLost };
    });
    if (verdict?.seen !== 'missed' && !isLost) return verdict?.line || aim.line;
    after.sent = false;
    const message = `${aim.line} did not get the event: ${verdict?.instead ?? 'something else'} did.`;
    if (tries >= TRIES || call.waitMs <= 0) throw new ToolFailure('obscured', message);
    await tab.main(call.signal).then((main) => main.ask('frames', { count: 2 }, call.signal));
  }
}

/** The answer, or undefined when the page navigates, opens a dialog or closes first. */
async function answered(after: ActionEffects, asked: Promise<Verdict>): Promise<Verdict | undefined> {
  // The page may navigate first. Then neither its answer nor its error is awaited.
  asked.catch(() => {});
  try {
    const first = await Promise.race([asked, after.began]);
    return first === 'began' ? undefined : first;
  } catch (error) {
    if (error instanceof PlaceGone) return undefined;
    throw error;
  }
}
