import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from './normal.ts';
import { mcnemarExact, signTest } from './paired-tests.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
import { percentile } from './percentile.ts';
import { minimumDetectableEffect, trialsNeeded, trialsNeededUnpaired } from './power.ts';
import { seededRandom } from './random.ts';
import { wilsonInterval } from './wilson.ts';

describe('normalQuantile', () => {
  // Check values printed with AS 241 (Wichura 1988, Applied Statistics 37:477–484), and the familiar 97.5 %.
  it.each([
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167814],
    [1e-20, -9.26234008979841],
    [0.975, 1.959963984540054],
    [0.5, 0],
  ])('of %d is %d', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 12);
  });

  it('is odd around one half and rises', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 0.499, noNaN: true }), (p) => {
        expect(normalQuantile(p)).toBeCloseTo(-normalQuantile(1 - p), 6);
        expect(normalQuantile(p)).toBeLessThan(normalQuantile(p + 0.001));
      }),
    );
  });
});

describe('wilsonInterval', () => {
  // Newcombe 1998, Statistics in Medicine 17:857–872, Table I, method 3 (score without continuity correction).
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %d in %d', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('is [0, 1] without trials, and refuses invalid numbers', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(() => wilsonInterval(3, 2)).toThrow('successes is 3, but should be at most the number of trials (2).');
    expect(() => wilsonInterval(0.5, 2)).toThrow('successes is 0.5, but should be an integer of at least 0.');
    expect(() => wilsonInterval(1, 2, 1)).toThrow('confidence is 1, but should be between 0 and 1, both excluded.');
  });

  it('holds the observed rate, lies in [0, 1], and mirrors failures', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (a, b) => {
        const { low, high } = wilsonInterval(a, a + b);
        if (a + b > 0) expect(low <= a / (a + b) && a / (a + b) <= high).toBe(true);
        expect(low >= 0 && high <= 1).toBe(true);
        const mirrored = wilsonInterval(b, a + b);
        expect(mirrored.low).toBeCloseTo(1 - high, 12);
      }),
    );
  });
});

describe('pass@k and pass^k', () => {
  it('pass@k is 1 − C(n−c, k) / C(n, k) (Chen et al. 2021, arXiv:2107.03374)', () => {
    expect(passAtK(5, 2, 3)).toBeCloseTo(0.9, 12); // 1 − C(3,3)/C(5,3) = 1 − 1/10
    expect(passAtK(200, 10, 1)).toBeCloseTo(0.05, 12);
    // The paper's own numerically stable form: 1 − Π (1 − k/i) for i = n−c+1 … n.
    const product = (n: number, c: number, k: number) => {
      let share = 1;
      for (let i = n - c + 1; i <= n; i++) share *= 1 - k / i;
      return 1 - share;
    };
    for (const [n, c, k] of [
      [200, 13, 10],
      [200, 13, 100],
      [50, 1, 5],
    ] as const) {
      expect(passAtK(n, c, k)).toBeCloseTo(product(n, c, k), 12);
    }
  });

  it('pass^k is C(c, k) / C(n, k) (Yao et al. 2024, arXiv:2406.12045)', () => {
    expect(passHatK(8, 6, 4)).toBeCloseTo(15 / 70, 12);
    expect(passHatK(8, 3, 4)).toBe(0);
  });

  it('both are the mean over all ways to draw k of the trials: that is what unbiased means', () => {
    const outcomes = [1, 1, 0, 1, 0, 0, 1];
    const draws: number[][] = [];
    for (let a = 0; a < 7; a++) for (let b = a + 1; b < 7; b++) for (let c = b + 1; c < 7; c++) draws.push([a, b, c]);
    const share = (test: (drawn: number[]) => boolean) =>
      draws.filter((draw) => test(draw.map((at) => outcomes[at] ?? 0))).length / draws.length;
    expect(passAtK(7, 4, 3)).toBeCloseTo(
      share((drawn) => drawn.some((x) => x === 1)),
      12,
    );
    expect(passHatK(7, 4, 3)).toBeCloseTo(
      share((drawn) => drawn.every((x) => x === 1)),
      12,
    );
  });

  it('are null for fewer than k trials', () => {
    expect(passAtK(3, 3, 4)).toBeNull();
    expect(passHatK(3, 3, 4)).toBeNull();
  });

  it('pass^k ≤ pass rate ≤ pass@k, and they diverge with k', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.integer({ min: 1, max: 20 }), (passed, failed, k) => {
        const n = passed + failed;
        fc.pre(k < n);
        const [at, hat] = [passAtK(n, passed, k) ?? -1, passHatK(n, passed, k) ?? -1];
        expect(hat <= passed / n + 1e-12 && passed / n <= at + 1e-12).toBe(true);
        expect((passAtK(n, passed, k + 1) ?? -1) >= at - 1e-12).toBe(true);
        expect((passHatK(n, passed, k + 1) ?? 2) <= hat + 1e-12).toBe(true);
      }),
    );
  });
});

describe('percentile', () => {
  // Type 7: quantile(1:9, .25) in R is 3; numpy.percentile([10, 7, 4, 3, 2, 1], 50) is 3.5 (NumPy's manual).
  it.each([
    [[9, 8, 7, 6, 5, 4, 3, 2, 1], 25, 3],
    [[10, 7, 4, 3, 2, 1], 50, 3.5],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 95, 9.55],
    [[4], 95, 4],
    [[], 50, null],
  ])('of %j at %d is %j', (values, percent, expected) => {
    const found = percentile(values, percent);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(expected, 12);
  });
});

describe('exact tests', () => {
  it('McNemar: airway hyper-responsiveness, 1 against 7 (Fagerland, Lydersen and Laake 2013, BMC MRM 13:91): p = 0.0703', () => {
    expect(mcnemarExact(1, 7).pValue).toBe(0.0703125);
  });

  it('McNemar: 6 against 16 pairs (the worked example of statsmodels and Wikipedia): p = 0.0525', () => {
    expect(mcnemarExact(6, 16).pValue).toBeCloseTo(0.05248, 5);
  });

  it('sign test: hind and fore legs of ten deer, 8 above and 2 below (Zar, Biostatistical Analysis): p = 0.109375', () => {
    expect(signTest([4, 4, -3, 5, -1, 5, 6, 5, 6, 2]).pValue).toBe(0.109375);
  });

  it('ties do not count, and without pairs there is no evidence', () => {
    expect(signTest([0, 0, 1, -1])).toEqual({ pValue: 1, informative: 2 });
    expect(mcnemarExact(0, 0)).toEqual({ pValue: 1, informative: 0 });
  });

  it('is symmetric, falls as the sides diverge, and stays finite for thousands of pairs', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (a, b) => {
        expect(mcnemarExact(a, b)).toEqual(mcnemarExact(b, a));
        if (a > b) expect(mcnemarExact(a + 1, b).pValue).toBeLessThan(mcnemarExact(a, b).pValue + 1e-12);
      }),
    );
    const { pValue } = mcnemarExact(2400, 2600);
    expect(pValue).toBeGreaterThan(0.004);
    expect(pValue).toBeLessThan(0.006);
  });
});

describe('planning', () => {
  it('pairs for McNemar by Connor 1987 (Biometrics 43:207–211), as two public calculators print them', () => {
    // powerandsamplesize.com, two-sided: p01 = 0.45, p10 = 0.05 → 23 pairs.
    expect(trialsNeeded({ difference: 0.4, discordant: 0.5 })).toBe(23);
    // clinicaltrials-tools: discordant 0.45, difference 0.15 → 155 pairs.
    expect(trialsNeeded({ difference: -0.15, discordant: 0.45 })).toBe(155);
  });

  it('trials per arm as in the manual of power.prop.test in R: 76.7 for 0.50 against 0.75 at 90 % power', () => {
    expect(trialsNeededUnpaired({ baseline: 0.5, improved: 0.75 }, { power: 0.9 })).toBe(77);
    // The same manual: with 50 per arm and 90 % power, 0.8026 (rounded) is detectable against 0.5.
    expect(trialsNeededUnpaired({ baseline: 0.5, improved: 0.80265 }, { power: 0.9 })).toBe(50);
    expect(trialsNeededUnpaired({ baseline: 0.5, improved: 0.80255 }, { power: 0.9 })).toBe(51);
  });

  it('the smallest difference that n pairs detect needs n pairs', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 2000 }),
        fc.double({ min: 0.2, max: 1, noNaN: true }),
        (pairs, discordant) => {
          const effect = minimumDetectableEffect({ pairs, discordant });
          fc.pre(effect !== null && effect < discordant);
          expect(trialsNeeded({ difference: effect ?? 0, discordant })).toBe(pairs);
        },
      ),
    );
  });

  it('is null if nothing could be detected, and counts similar trials for less', () => {
    expect(minimumDetectableEffect({ pairs: 3, discordant: 0.5 })).toBeNull();
    expect(minimumDetectableEffect({ pairs: 0, discordant: 0.5 })).toBeNull();
    expect(trialsNeeded({ difference: 0, discordant: 0.3 })).toBeNull();
    expect(trialsNeeded({ difference: 0.15, discordant: 0.45 }, { designEffect: 2 })).toBe(310);
    expect(() => trialsNeeded({ difference: 0.5, discordant: 0.2 })).toThrow(
      'difference is 0.5, but should be no larger than the discordant share (0.2).',
    );
  });
});

describe('seededRandom', () => {
  it('repeats for a seed, differs between seeds, and is even', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(2 ** 32)).not.toEqual(draw(0));
    const random = seededRandom(42);
    const bins = new Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i++) {
      const bin = Math.floor(random() * 10);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    // Chi-square with 9 degrees of freedom: 27.9 is the 99.9 % point.
    expect(bins.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0)).toBeLessThan(27.9);
  });
});
