import { describe, expect, it } from 'vitest';
import { clusteredBootstrap, pairedBootstrap } from './bootstrap.ts';
import { comparePairs } from './compare.ts';
import { aaNoiseFloor } from './noise-floor.ts';
import { mcnemarExact } from './paired-tests.ts';
import { type Random, seededRandom } from './random.ts';
import { wilsonInterval } from './wilson.ts';

/** Seeded: the same draws in every run, so that these tests are never flaky. */
const coin = (random: Random, p: number): number => (random() < p ? 1 : 0);
const trials = (random: Random, n: number, p: number): number[] => Array.from({ length: n }, () => coin(random, p));
const share = (runs: number, covers: () => boolean): number => {
  let covered = 0;
  for (let i = 0; i < runs; i++) if (covers()) covered++;
  return covered / runs;
};

describe('coverage of the 95 % interval', () => {
  // Coverage of any interval for a proportion jumps with n and p, because counts are whole. These are settings in which
  // Wilson's true coverage, summed over the binomial below, lies in 93–97 %; near 0 or 1 with few trials it does not.
  it.each([
    [20, 0.5],
    [50, 0.3],
    [100, 0.1],
    [100, 0.8],
    [400, 0.65],
  ])('Wilson, %d trials at %d', (n, p) => {
    expect(trueCoverage(n, p)).toBeGreaterThan(0.93);
    expect(trueCoverage(n, p)).toBeLessThan(0.97);
    const random = seededRandom(n * 1000 + p * 100);
    const covered = share(5000, () => {
      const { low, high } = wilsonInterval(
        trials(random, n, p).reduce((sum, x) => sum + x, 0),
        n,
      );
      return low <= p && p <= high;
    });
    expect(covered).toBeGreaterThan(0.93);
    expect(covered).toBeLessThan(0.97);
  });

  it('clustered bootstrap, 60 tasks of uneven size whose own rates differ widely', () => {
    const random = seededRandom(11);
    // Task rates uniform in [0, 1]: the mean is one half, and most of the spread is between tasks.
    const covered = share(3000, () => {
      const clusters = Array.from({ length: 60 }, (_, i) => trials(random, 2 + (i % 5), random()));
      const { interval } = clusteredBootstrap(clusters, random, { resamples: 400 });
      return interval !== null && interval.low <= 0.5 && 0.5 <= interval.high;
    });
    expect(covered).toBeGreaterThan(0.93);
    expect(covered).toBeLessThan(0.97);
  });

  it('the same data without clusters gives an interval that is far too narrow', () => {
    const random = seededRandom(12);
    const covered = share(2000, () => {
      const clusters = Array.from({ length: 60 }, () => trials(random, 10, random()));
      const passed = clusters.flat().reduce((sum, x) => sum + x, 0);
      const { low, high } = wilsonInterval(passed, 600);
      return low <= 0.5 && 0.5 <= high;
    });
    expect(covered).toBeLessThan(0.85);
  });

  it('paired bootstrap of a difference, 60 tasks of 4 trials', () => {
    const random = seededRandom(13);
    const covered = share(3000, () => {
      const pairs = Array.from({ length: 60 }, (_, i) => {
        const p = 0.2 + 0.5 * random();
        return Array.from({ length: 4 }, () => ({ task: `t${i}`, a: coin(random, p), b: coin(random, p + 0.1) }));
      }).flat();
      const { interval } = pairedBootstrap(pairs, random, { resamples: 400 });
      return interval !== null && interval.low <= 0.1 && 0.1 <= interval.high;
    });
    expect(covered).toBeGreaterThan(0.93);
    expect(covered).toBeLessThan(0.97);
  });
});

describe('false alarms', () => {
  it("McNemar's exact test rejects equal variants in at most 5 % of runs", () => {
    const random = seededRandom(14);
    const rejected = share(5000, () => {
      let onlyA = 0;
      let onlyB = 0;
      for (let i = 0; i < 100; i++) {
        const [a, b] = [coin(random, 0.6), coin(random, 0.6)];
        if (a > b) onlyA++;
        if (b > a) onlyB++;
      }
      return mcnemarExact(onlyA, onlyB).pValue <= 0.05;
    });
    expect(rejected).toBeLessThan(0.05);
    expect(rejected).toBeGreaterThan(0.02); // An exact test is conservative, but it must still reject sometimes.
  });

  it('an A/A difference exceeds the noise floor in about 5 % of runs', () => {
    const random = seededRandom(15);
    const beyond = share(1500, () => {
      const rates = Array.from({ length: 20 }, () => random());
      const run = () => rates.map((p) => trials(random, 6, p));
      const [one, two] = [run(), run()];
      const mean = (tasks: number[][]) => tasks.flat().reduce((sum, x) => sum + x, 0) / 120;
      const { floor } = aaNoiseFloor(one, random, { resamples: 200 });
      return floor !== null && Math.abs(mean(one) - mean(two)) > floor;
    });
    expect(beyond).toBeGreaterThan(0.02);
    expect(beyond).toBeLessThan(0.08);
  });

  it('comparePairs calls equal variants different in at most 5 % of runs, and finds a real difference', () => {
    const random = seededRandom(16);
    const draw = (gain: number) =>
      Array.from({ length: 200 }, (_, i) => ({
        task: `t${i % 50}`,
        a: coin(random, 0.5),
        b: coin(random, 0.5 + gain),
      }));
    const called = share(
      600,
      () => comparePairs(draw(0), random, { resamples: 200 }).verdict !== 'not_enough_evidence',
    );
    expect(called).toBeLessThan(0.05);
    const found = share(200, () => comparePairs(draw(0.25), random, { resamples: 200 }).verdict === 'better');
    expect(found).toBeGreaterThan(0.95);
  });
});

/** Summed over the binomial distribution, without sampling. */
function trueCoverage(n: number, p: number): number {
  let logTerm = n * Math.log(1 - p);
  let covered = 0;
  for (let k = 0; k <= n; k++) {
    const { low, high } = wilsonInterval(k, n);
    if (low <= p && p <= high) covered += Math.exp(logTerm);
    logTerm += Math.log(((n - k) / (k + 1)) * (p / (1 - p)));
  }
  return covered;
}
