import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageState, VolatileRegions } from './types.ts';
import {
  learnVolatile,
  NEW_NOISE_WATCH,
  NO_VOLATILE_REGIONS,
  type NoiseWatch,
  stateFingerprint,
  VOLATILE_LIMITS,
  watchNoise,
} from './volatile-regions.ts';

const page = (regions: Record<string, string>, url = 'http://shop.test/'): PageState => ({ url, regions });

describe('learnVolatile', () => {
  it('learns what changed, appeared or disappeared, on that page only', () => {
    const noise = learnVolatile(
      NO_VOLATILE_REGIONS,
      page({ main: 'm', clock: '1', ad: 'x' }),
      page({ main: 'm', clock: '2', toast: 'y' }),
    );
    expect(noise).toEqual({ pages: { 'http://shop.test/': { ad: true, clock: true, toast: true } } });
  });

  it('recognizes the page whatever its query and fragment', () => {
    const noise = learnVolatile(
      NO_VOLATILE_REGIONS,
      page({ clock: '1' }, 'http://a.test/p?x=1#y'),
      page({ clock: '2' }, 'http://a.test/p?x=1#y'),
    );
    expect(Object.keys(noise.pages)).toEqual(['http://a.test/p']);
  });

  it('learns nothing from a page that went elsewhere, nor from one without a URL', () => {
    const before = page({ main: 'a' });
    expect(learnVolatile(NO_VOLATILE_REGIONS, before, page({ main: 'b' }, 'http://shop.test/other'))).toBe(
      NO_VOLATILE_REGIONS,
    );
    expect(learnVolatile(NO_VOLATILE_REGIONS, { regions: { a: '1' } }, { regions: { a: '2' } })).toBe(
      NO_VOLATILE_REGIONS,
    );
  });

  it('falls back to whole digests where regions are missing', () => {
    const at = (n: string): PageState => ({
      url: 'http://a.test/',
      textDigest: n,
      domDigest: 'd',
      screenshotHash: n,
      network: { writes: Number(n) },
    });
    expect(learnVolatile(NO_VOLATILE_REGIONS, at('1'), at('2')).pages['http://a.test/']).toEqual({
      '@text': true,
      '@screenshot': true,
      '@writes': true,
    });
  });

  it('returns the same value where nothing is new', () => {
    const noise = learnVolatile(NO_VOLATILE_REGIONS, page({ clock: '1' }), page({ clock: '2' }));
    expect(learnVolatile(noise, page({ clock: '2' }), page({ clock: '3' }))).toBe(noise);
  });

  it('is bounded in regions and in pages', () => {
    const many = (n: string) => page(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`r${i}`, n])));
    const noise = learnVolatile(NO_VOLATILE_REGIONS, many('1'), many('2'));
    expect(Object.keys(noise.pages['http://shop.test/'] ?? {}).length).toBe(VOLATILE_LIMITS.regionsPerPage);
    let all: VolatileRegions = NO_VOLATILE_REGIONS;
    for (let i = 0; i < 100; i++)
      all = learnVolatile(all, page({ c: '1' }, `http://a.test/${i}`), page({ c: '2' }, `http://a.test/${i}`));
    expect(Object.keys(all.pages).length).toBe(VOLATILE_LIMITS.pages);
  });

  it('folds to the same value in any order, survives JSON, and never mutates', () => {
    const names = fc.constantFrom('main', 'clock', 'ad', '__proto__', 'constructor', 'toString');
    const regions = fc.dictionary(names, fc.constantFrom('1', '2'));
    fc.assert(
      fc.property(fc.array(fc.tuple(regions, regions), { maxLength: 5 }), (pairs) => {
        const fold = (list: typeof pairs) =>
          list.reduce<VolatileRegions>((known, [a, b]) => learnVolatile(known, page(a), page(b)), NO_VOLATILE_REGIONS);
        const sorted = (v: VolatileRegions) => Object.keys(v.pages['http://shop.test/'] ?? {}).sort();
        const forward = fold(pairs);
        expect(sorted(fold([...pairs].reverse()))).toEqual(sorted(forward));
        expect(sorted(JSON.parse(JSON.stringify(forward)))).toEqual(sorted(forward));
        expect(NO_VOLATILE_REGIONS).toEqual({ pages: {} });
      }),
    );
  });
});

describe('watchNoise', () => {
  /** `call`: something was done before the look. `settled`: two looks had agreed since the last call. */
  interface Look {
    regions: Record<string, string>;
    call?: true;
    settled?: true;
    disturbed?: true;
    url?: string;
    /** How long it had been watched since the last call. */
    watchedMs?: number;
  }
  const knownAfter = (looks: Look[]): string[] => {
    let watch: NoiseWatch = NEW_NOISE_WATCH;
    let before: PageState | undefined;
    for (const { regions, call, settled, disturbed, url, watchedMs } of looks) {
      const after = page(regions, url);
      const how = { byAction: call === true, isSettled: settled === true, mayLearn: disturbed !== true, watchedMs };
      if (before) watch = watchNoise(watch, before, after, how);
      before = after;
    }
    return Object.keys(watch.known.pages['http://shop.test/'] ?? {});
  };
  const start = { regions: { list: '0', clock: '0' } };
  const tick = (n: number): Look => ({ regions: { list: '0', clock: `${n}` }, settled: true });

  it('does not learn what an action sets off and what is rendered late, at every step', () => {
    const late = (n: number): Look[] => [
      { regions: { list: `${n - 1}`, clock: '0' }, call: true, settled: true },
      { regions: { list: `${n}`, clock: '0' } },
    ];
    expect(knownAfter([start, ...[1, 2, 3, 4, 5].flatMap(late)])).toEqual([]);
    const later = (n: number): Look[] => late(n).map((look) => ({ ...look, settled: true }));
    expect(knownAfter([start, ...[1, 2, 3, 4, 5].flatMap(later)])).toEqual([]);
  });

  it('learns what changes three times after the page has settled, with no action between', () => {
    expect(knownAfter([start, tick(1), tick(2)])).toEqual([]);
    expect(knownAfter([start, tick(1), tick(2), tick(3)])).toEqual(['clock']);
    expect(knownAfter([start, tick(1), tick(2), { ...tick(2), call: true }, tick(3), tick(4)])).toEqual([]);
  });

  it('learns what changes at four looks in a row, on a page that never settles', () => {
    const spin = (n: number): Look => ({ regions: { list: '0', clock: `${n}` } });
    expect(knownAfter([start, spin(1), spin(2), spin(3)])).toEqual([]);
    expect(knownAfter([start, spin(1), spin(2), spin(3), spin(4)])).toEqual(['clock']);
  });

  it('learns nothing from what another lane may have done, nor from another page', () => {
    expect(knownAfter([start, tick(1), tick(2), { ...tick(3), disturbed: true }])).toEqual([]);
    expect(knownAfter([start, tick(1), tick(2), { ...tick(3), url: 'http://shop.test/other' }, tick(4)])).toEqual([]);
  });

  it('unlearns what only actions change, twice in a row, and keeps what moves by itself as well', () => {
    const act = (n: number): Look => ({ regions: { list: '0', clock: `${n}` }, call: true, settled: true });
    const learnt = [start, tick(0.1), tick(1), tick(2)];
    expect(knownAfter([...learnt, act(3), act(4)])).toEqual(['clock']);
    expect(knownAfter([...learnt, act(3), act(4), act(5)])).toEqual([]);
    expect(knownAfter([...learnt, act(3), tick(4), act(5), tick(6), act(7)])).toEqual(['clock']);
    const unsettled: Look = { regions: act(4).regions, call: true };
    expect(knownAfter([...learnt, act(3), unsettled, act(5)])).toEqual(['clock']);
  });

  it('unlearns only where the page was watched for as long as it took to learn', () => {
    const learnt = [start, ...[1, 2, 3].map((n) => ({ ...tick(n), watchedMs: n * 100 }))];
    const act = (n: number, watchedMs: number): Look => ({ ...tick(n), call: true, watchedMs });
    expect(knownAfter([...learnt, act(4, 300), act(5, 299), act(6, 299), act(7, 299)])).toEqual(['clock']);
    expect(knownAfter([...learnt, act(4, 300), act(5, 300), act(6, 299), act(7, 299)])).toEqual(['clock']);
    expect(knownAfter([...learnt, act(4, 300), act(5, 300), act(6, 299), act(7, 300)])).toEqual([]);
    // It is known when the agent comes back to the page, too.
    const elsewhere: Look = { regions: {}, call: true, settled: true, url: 'http://shop.test/other' };
    expect(knownAfter([...learnt, elsewhere, act(4, 0), act(5, 20), act(6, 20), act(7, 20)])).toEqual(['clock']);
  });
});

describe('stateFingerprint', () => {
  const noise = learnVolatile(NO_VOLATILE_REGIONS, page({ main: 'm', clock: '1' }), page({ main: 'm', clock: '2' }));

  it('is the same whatever the noise shows, and another when the rest changes', () => {
    const at = (main: string, clock: string) => stateFingerprint(page({ main, clock }), noise);
    expect(at('m', '7')).toBe(at('m', '8'));
    expect(at('n', '7')).not.toBe(at('m', '7'));
    expect(stateFingerprint(page({ main: 'm', clock: '7' }))).not.toBe(
      stateFingerprint(page({ main: 'm', clock: '8' })),
    );
  });

  it('knows URLs apart, does not care about the order of regions, and is unknown without content', () => {
    expect(stateFingerprint({ url: 'http://a.test/', textDigest: 't' })).not.toBe(
      stateFingerprint({ url: 'http://b.test/', textDigest: 't' }),
    );
    expect(stateFingerprint(page({ a: '1', b: '2' }))).toBe(stateFingerprint(page({ b: '2', a: '1' })));
    expect(stateFingerprint({ url: 'http://a.test/' })).toBeUndefined();
  });
});
