/** Making pages repeat themselves: seeded random numbers, a fixed clock, time zone, locale, viewport, no motion. */
import { z } from 'zod';
import { WaymarkError } from '../errors/index.ts';
import type { Session } from './cdp/session.ts';

export const Determinism = z.strictObject({
  /** Math.random() starts from here in every document. */
  seed: z.number().int().optional(),
  /**
   * `running`: Date starts here and goes on in real time (the default; pages that poll Date.now() would hang otherwise). `frozen`: it stands still.
   * Not in workers, and not performance.now().
   */
  clock: z.strictObject({ start: z.iso.datetime(), mode: z.enum(['running', 'frozen']).default('running') }).optional(),
  timezone: z.string().optional(),
  locale: z.string().optional(),
  viewport: z
    .strictObject({
      width: z.number().int().min(100).max(10_000),
      height: z.number().int().min(100).max(10_000),
      deviceScaleFactor: z.number().min(0.5).max(4).default(1),
    })
    .optional(),
  reducedMotion: z.boolean().optional(),
});
export type Determinism = z.input<typeof Determinism>;

/** The requests that put it in force; sent while a page is held at its start. They last as long as the session does. */
export function applyDeterminism(
  settings: Determinism,
  session: Session,
  kind: 'page' | 'iframe',
  startedAt: number,
): Promise<unknown>[] {
  const { viewport, timezone, locale, reducedMotion } = settings;
  const sent: Promise<unknown>[] = [];
  if (viewport && kind === 'page') {
    const { width, height, deviceScaleFactor = 1 } = viewport;
    sent.push(session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false }));
  }
  if (timezone)
    sent.push(session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }).catch(alreadyInEffect));
  if (locale) sent.push(session.send('Emulation.setLocaleOverride', { locale }).catch(alreadyInEffect));
  if (reducedMotion) {
    const features = [{ name: 'prefers-reduced-motion', value: 'reduce' }];
    sent.push(session.send('Emulation.setEmulatedMedia', { features }));
  }
  const source = pageScript(settings, startedAt);
  if (source) sent.push(session.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true }));
  return sent;
}

/** Time zone and locale belong to a renderer process: a popup that shares one finds them set, which is what we want. */
function alreadyInEffect(error: unknown): void {
  if (error instanceof WaymarkError && /already in effect/.test(error.message)) return;
  throw error;
}

function pageScript(settings: Determinism, startedAt: number): string | undefined {
  const parts: string[] = [];
  if (settings.seed !== undefined) parts.push(`(${seedRandom.toString()})(${settings.seed})`);
  if (settings.clock) {
    const start = Date.parse(settings.clock.start);
    const frozen = settings.clock.mode === 'frozen';
    parts.push(`(${setClock.toString()})(${start}, ${start - startedAt}, ${frozen})`);
  }
  return parts.length === 0 ? undefined : parts.join(';');
}

/** Runs in the page: mulberry32. */
function seedRandom(seed: number): void {
  let state = seed | 0;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Runs in the page. */
function setClock(start: number, offset: number, frozen: boolean): void {
  const RealDate = Date;
  const now = (): number => (frozen ? start : RealDate.now() + offset);
  // A function and not a class: Date() without `new` gives a string.
  function FixedDate(this: unknown, ...args: unknown[]): unknown {
    if (!new.target) return new RealDate(now()).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, new.target);
  }
  FixedDate.prototype = RealDate.prototype;
  Object.defineProperty(RealDate.prototype, 'constructor', { value: FixedDate, configurable: true, writable: true });
  Object.assign(FixedDate, { now, parse: RealDate.parse, UTC: RealDate.UTC });
  Object.defineProperty(globalThis, 'Date', { value: FixedDate, configurable: true, writable: true });
}
