/**
 * The parts of a page that change without an action: clocks, spinners, advertisements.
 * They are learnt from two observations with no action between them. Plain data, so that a replay learns the same.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
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
  const scope = scopeOf(before.url);
  const old = noiseOf(known, before.url);
  const found = changedParts(before, after).filter((part) => old === undefined || !Object.hasOwn(old, part));
  if (found.length === 0) return known;
  if (old === undefined && Object.keys(known.pages).length >= VOLATILE_LIMITS.pages) return known;
  const free = VOLATILE_LIMITS.regionsPerPage - (old === undefined ? 0 : Object.keys(old).length);
  if (free <= 0) return known;
  const learnt = found.slice(0, free).map((part) => [part, true] as const);
  const merged = Object.fromEntries([...Object.entries(old ?? {}), ...learnt]);
  return { pages: Object.fromEntries([...Object.entries(known.pages), [scope, merged]]) };
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
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([page.url ?? null, content])))).slice(0, 32);
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
      if (digestOf(before.regions, path) !== digestOf(after.regions, path)) parts.push(path);
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
function digestOf(regions: Readonly<Record<string, string>>, path: string): string | undefined {
  return Object.hasOwn(regions, path) ? regions[path] : undefined;
}

function differ(a: unknown, b: unknown): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
