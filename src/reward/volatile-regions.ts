/**
 * The parts of a page that change without an action: clocks, spinners, advertisements.
 * They are learnt from observations with no action between them. Plain data, so that a replay learns the same.
 */
import { sha256Hex } from '../hashes/index.ts';
import type { PageState, VolatileRegions } from './types.ts';

/** Limits the size of the value, because a page can invent any number of regions. */
export const VOLATILE_LIMITS = { pages: 64, regionsPerPage: 512 } as const;

/** Names for the digests of the whole page. No region path starts with `@`. */
export const WHOLE = { dom: '@dom', text: '@text', screenshot: '@screenshot', writes: '@writes' } as const;

export const NO_VOLATILE_REGIONS: VolatileRegions = Object.freeze({ pages: Object.freeze({}) });

/**
 * Adds the differences between two observations of a page, with no action between them, to the known noise.
 * Returns `known` itself if there is nothing new.
 *
 * @example
 * const noise = learnVolatile(NO_VOLATILE_REGIONS,
 *   { url: 'http://shop.test/', regions: { main: 'a', clock: '10:00' } },
 *   { url: 'http://shop.test/', regions: { main: 'a', clock: '10:01' } });
 * noise; // => { pages: { 'http://shop.test/': { clock: true } } }
 */
export function learnVolatile(known: VolatileRegions, before: PageState, after: PageState): VolatileRegions {
  // A different URL means that the page was redirected: its regions are new, not noisy.
  if (before.url === undefined || before.url !== after.url) return known;
  return learnParts(known, before.url, changedParts(before, after));
}

function learnParts(known: VolatileRegions, url: string, parts: readonly string[]): VolatileRegions {
  const old = noiseOf(known, url);
  const found = parts.filter((part) => old === undefined || !Object.hasOwn(old, part));
  if (found.length === 0) return known;
  if (old === undefined && Object.keys(known.pages).length >= VOLATILE_LIMITS.pages) return known;
  const free = VOLATILE_LIMITS.regionsPerPage - (old === undefined ? 0 : Object.keys(old).length);
  if (free <= 0) return known;
  const learnt = found.slice(0, free).map((part) => [part, true] as const);
  const merged = Object.fromEntries([...Object.entries(old ?? {}), ...learnt]);
  return { pages: Object.fromEntries([...Object.entries(known.pages), [scopeOf(url), merged]]) };
}

/** How often a part must change by itself, with no action between, to be noise. */
const REPEATS = 3;
/** How often in a row actions, and nothing else, must change noise to show that it is none. */
const STEADY = 2;

/** What is known to be noise, and what was seen of the page that is shown now. Plain data, so that a replay learns the same. */
export interface NoiseWatch {
  readonly known: VolatileRegions;
  /** The parts that changed between the last two looks, without an action. */
  readonly moved: readonly string[];
  /** How often each part has changed by itself since the last action, after it had changed before or the page had settled. */
  readonly repeats: Readonly<Record<string, number>>;
  /** The known noise that changed with the last action and not by itself since. */
  readonly acted: readonly string[];
  /** How often in a row that was so. */
  readonly steady: Readonly<Record<string, number>>;
  /** By page: the longest time for which it had been watched since an action when some of its noise was learnt. */
  readonly learntMs: Readonly<Record<string, number>>;
}

export const NEW_NOISE_WATCH: NoiseWatch = Object.freeze({
  known: NO_VOLATILE_REGIONS,
  moved: [],
  repeats: {},
  acted: [],
  steady: {},
  learntMs: {},
});

export interface WatchedLook {
  /** Whether something was done since the look before. */
  byAction: boolean;
  /** Whether two looks had agreed since the last action, before this one. */
  isSettled: boolean;
  /** Whether what changed can have changed by itself only. */
  mayLearn: boolean;
  /** How long the page had been watched since the last action, before anything was done again. Not known of old journals. */
  watchedMs?: number | undefined;
}

/**
 * Adds a look to what is known. A part is noise when it changes by itself again and again: what an action has set off may come late, but does
 * not go on. Noise that only actions change, twice in a row, is none, if the page was watched in between for as long as it took to learn it:
 * a clock keeps still for a moment too.
 *
 * @example
 * const at = (clock) => ({ url: 'http://shop.test/', regions: { main: 'a', clock } });
 * const alone = { byAction: false, isSettled: true, mayLearn: true };
 * const times = ['10:00', '10:01', '10:02', '10:03'].map(at);
 * const after = (looks) => looks.reduce((watch, page, i) => (i ? watchNoise(watch, looks[i - 1], page, alone) : watch), NEW_NOISE_WATCH);
 * after(times.slice(0, 3)).known.pages; // => {}
 * after(times).known.pages; // => { 'http://shop.test/': { clock: true } }
 */
export function watchNoise(watch: NoiseWatch, before: PageState, after: PageState, look: WatchedLook): NoiseWatch {
  // Another page: nothing of it was seen before.
  if (before.url === undefined || after.url === undefined || scopeOf(before.url) !== scopeOf(after.url))
    return { ...NEW_NOISE_WATCH, known: watch.known, learntMs: watch.learntMs };
  const changed = changedParts(before, after).slice(0, VOLATILE_LIMITS.regionsPerPage);
  return look.byAction ? afterAction(watch, changed, before.url, look) : afterPause(watch, changed, before.url, look);
}

function afterAction(watch: NoiseWatch, changed: string[], url: string, look: WatchedLook): NoiseWatch {
  const { isSettled, watchedMs = Number.POSITIVE_INFINITY } = look;
  const isLongEnough = watchedMs >= (ownValue(watch.learntMs, scopeOf(url)) ?? 0);
  const steady = isSettled ? countsOf(watch.steady, isLongEnough ? watch.acted : []) : {};
  const isNone = (part: string): boolean => (ownValue(steady, part) ?? 0) >= STEADY;
  const known = watch.acted.some(isNone) ? unlearn(watch.known, url, isNone) : watch.known;
  const noise = noiseOf(known, url) ?? {};
  return {
    known,
    learntMs: watch.learntMs,
    moved: [],
    repeats: {},
    acted: changed.filter((part) => Object.hasOwn(noise, part)),
    steady: Object.fromEntries(Object.entries(steady).filter(([part]) => Object.hasOwn(noise, part))),
  };
}

function afterPause(watch: NoiseWatch, changed: string[], url: string, look: WatchedLook): NoiseWatch {
  const { isSettled, mayLearn, watchedMs = 0 } = look;
  const acted = watch.acted.filter((part) => !changed.includes(part));
  if (!mayLearn) return { ...watch, moved: [], acted };
  const again = changed.filter((part) => isSettled || watch.moved.includes(part));
  const repeats = countsOf(watch.repeats, again);
  const learnt = changed.filter((part) => (ownValue(repeats, part) ?? 0) >= REPEATS);
  const known = learnParts(watch.known, url, learnt);
  if (known === watch.known) return { ...watch, moved: changed, repeats, acted };
  const scope = scopeOf(url);
  const longestMs = Math.max(ownValue(watch.learntMs, scope) ?? 0, watchedMs);
  return { ...watch, known, learntMs: { ...watch.learntMs, [scope]: longestMs }, moved: changed, repeats, acted };
}

function countsOf(counts: Readonly<Record<string, number>>, parts: readonly string[]): Record<string, number> {
  const more = parts.map((part) => [part, (ownValue(counts, part) ?? 0) + 1] as const);
  return Object.fromEntries([...Object.entries(counts), ...more]);
}

function unlearn(known: VolatileRegions, url: string, isNone: (part: string) => boolean): VolatileRegions {
  const left = Object.entries(noiseOf(known, url) ?? {}).filter(([part]) => !isNone(part));
  return { pages: Object.fromEntries([...Object.entries(known.pages), [scopeOf(url), Object.fromEntries(left)]]) };
}

/** The known noise of the page at this URL. */
export function noiseOf(
  known: VolatileRegions | undefined,
  url: string | undefined,
): Readonly<Record<string, true>> | undefined {
  if (known === undefined || url === undefined) return undefined;
  const scope = scopeOf(url);
  return Object.hasOwn(known.pages, scope) ? known.pages[scope] : undefined;
}

/**
 * Identifies a state by the URL and everything on the page that is not noise. Undefined if no content was observed,
 * because with the URL alone all states of a single-page application would be equal.
 *
 * @example
 * const a = stateFingerprint({ url: 'http://shop.test/', textDigest: 't1' });
 * const b = stateFingerprint({ url: 'http://shop.test/', textDigest: 't2' });
 * a === b; // => false
 */
export function stateFingerprint(page: PageState, volatile?: VolatileRegions): string | undefined {
  const noise = noiseOf(volatile, page.url);
  const quiet = (part: string) => noise === undefined || !Object.hasOwn(noise, part);
  const regions = page.regions;
  const content =
    regions === undefined
      ? [
          ['dom', quiet(WHOLE.dom) ? page.domDigest : undefined],
          ['text', quiet(WHOLE.text) ? page.textDigest : undefined],
        ]
      : Object.keys(regions)
          .filter(quiet)
          .sort()
          .map((path) => [path, regions[path]]);
  if (regions === undefined && page.domDigest === undefined && page.textDigest === undefined) return undefined;
  return sha256Hex(JSON.stringify([page.url ?? null, content])).slice(0, 32);
}

function scopeOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** Compares regions if both observations have them; otherwise the digests of the whole page. */
function changedParts(before: PageState, after: PageState): string[] {
  const parts: string[] = [];
  if (before.regions !== undefined && after.regions !== undefined) {
    for (const path of new Set([...Object.keys(before.regions), ...Object.keys(after.regions)])) {
      if (ownValue(before.regions, path) !== ownValue(after.regions, path)) parts.push(path);
    }
  } else {
    if (differ(before.domDigest, after.domDigest)) parts.push(WHOLE.dom);
    if (differ(before.textDigest, after.textDigest)) parts.push(WHOLE.text);
  }
  if (differ(before.screenshotHash, after.screenshotHash)) parts.push(WHOLE.screenshot);
  if (differ(before.network?.writes, after.network?.writes)) parts.push(WHOLE.writes);
  return parts.sort();
}

/** Reads own properties only, because a page chooses its region names and may use `constructor`. */
function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function differ(a: unknown, b: unknown): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
