/** Makes pages deterministic: seeded random numbers, a fixed clock, time zone, locale and viewport, and no motion. */
import { z } from 'zod';
import { determinismSchema } from '../cases/schemas.ts';
import { WaymarkError } from '../errors/index.ts';
import type { Session } from './cdp/session.ts';

/** What a task may fix, and its viewport. Times that the browser sets itself (performance.now(), document.lastModified) do not follow the clock. */
export const Determinism = determinismSchema.extend({
  viewport: z
    .strictObject({
      width: z.number().int().min(100).max(10_000),
      height: z.number().int().min(100).max(10_000),
      deviceScaleFactor: z.number().min(0.5).max(4).optional(),
    })
    .optional(),
});
export type Determinism = z.infer<typeof Determinism>;

/** The requests that apply these settings, sent while a page, a frame or a worker is paused at its start. The settings last as long as the session. */
export function applyDeterminism(
  settings: Determinism,
  session: Session,
  kind: 'page' | 'iframe' | 'worker',
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
  if (locale) {
    sent.push(session.send('Emulation.setLocaleOverride', { locale }).catch(alreadyInEffect));
    // The locale alone does not change navigator.language and the header. With an empty user agent the browser keeps its own.
    sent.push(session.send('Emulation.setUserAgentOverride', { userAgent: '', acceptLanguage: locale }));
  }
  if (reducedMotion && kind !== 'worker') {
    const features = [{ name: 'prefers-reduced-motion', value: 'reduce' }];
    sent.push(session.send('Emulation.setEmulatedMedia', { features }));
  }
  const source = pageScript(settings, startedAt);
  // A worker has one global scope for its whole life.
  if (source && kind === 'worker') sent.push(session.send('Runtime.evaluate', { expression: source }));
  else if (source) sent.push(session.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true }));
  return sent;
}

/** The time zone and the locale belong to a renderer process. A popup or a worker that shares the process has them already, which is intended. */
function alreadyInEffect(error: unknown): void {
  if (error instanceof WaymarkError && /already in effect/.test(error.message)) return;
  throw error;
}

function pageScript(settings: Determinism, startedAt: number): string | undefined {
  const parts: string[] = [];
  if (settings.seed !== undefined)
    parts.push(`${onceOnly('Math.random')} (${seedRandom.toString()})(${settings.seed})`);
  if (settings.clock) {
    const start = Date.parse(settings.clock.start);
    const frozen = settings.clock.mode === 'frozen';
    parts.push(`${onceOnly('Date.now')} (${setClock.toString()})(${start}, ${start - startedAt}, ${frozen})`);
  }
  return parts.length === 0 ? undefined : parts.join(';');
}

/** A service worker is announced to two sessions, which both apply the settings: the second would start the numbers again and shift the clock twice. */
function onceOnly(builtIn: string): string {
  return `if (/\\[native code\\]/.test(${builtIn}))`;
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

/** The part of Temporal that is used here. TypeScript's library does not declare it yet. */
interface TemporalClock {
  Now: { timeZoneId(): string };
  Instant: { fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: unknown): TemporalMoment } };
}
interface TemporalMoment {
  toPlainDateTime(): unknown;
  toPlainDate(): unknown;
  toPlainTime(): unknown;
}

/** Runs in the page. */
function setClock(start: number, offset: number, frozen: boolean): void {
  const RealDate = Date;
  const now = (): number => (frozen ? start : RealDate.now() + offset);
  // This is a function and not a class, because Date() without `new` returns a string.
  function FixedDate(this: unknown, ...args: unknown[]): unknown {
    if (!new.target) return new RealDate(now()).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, new.target);
  }
  const put = (on: object, values: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(values)) {
      Object.defineProperty(on, name, { value, configurable: true, writable: true });
    }
  };
  FixedDate.prototype = RealDate.prototype;
  put(FixedDate, { name: 'Date', length: 7, now, parse: RealDate.parse, UTC: RealDate.UTC });
  put(RealDate.prototype, { constructor: FixedDate });
  put(globalThis, { Date: FixedDate });

  // Without an argument, a format uses the current time.
  const formats = Intl.DateTimeFormat.prototype;
  const { formatToParts } = formats;
  const formatOf = Object.getOwnPropertyDescriptor(formats, 'format')?.get as () => (date: unknown) => string;
  Object.defineProperty(formats, 'format', {
    get(this: Intl.DateTimeFormat) {
      const format = formatOf.call(this);
      return (date: unknown) => format(date === undefined ? now() : date);
    },
    configurable: true,
  });
  put(formats, {
    formatToParts(this: Intl.DateTimeFormat, date?: Date | number) {
      return formatToParts.call(this, date === undefined ? now() : date);
    },
  });

  const { Temporal } = globalThis as { Temporal?: TemporalClock };
  if (!Temporal) return;
  const instant = () => Temporal.Instant.fromEpochMilliseconds(now());
  const zonedDateTimeISO = (zone: unknown = Temporal.Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
  put(Temporal.Now, {
    instant,
    zonedDateTimeISO,
    plainDateTimeISO: (zone?: unknown) => zonedDateTimeISO(zone).toPlainDateTime(),
    plainDateISO: (zone?: unknown) => zonedDateTimeISO(zone).toPlainDate(),
    plainTimeISO: (zone?: unknown) => zonedDateTimeISO(zone).toPlainTime(),
  });
}
