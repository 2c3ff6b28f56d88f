import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredBootstrap, pairedBootstrap } from './bootstrap.ts';
import { type ClaimArm, claimEligibility } from './claim.ts';
import { comparePairs } from './compare.ts';
import { aaNoiseFloor } from './noise-floor.ts';
import { seededRandom } from './random.ts';

const pairs = (n: number, of: (i: number) => { a: number; b: number }) =>
  Array.from({ length: n }, (_, i) => ({ task: `t${i % 25}`, ...of(i) }));

describe('clusteredBootstrap', () => {
  it('gives the same interval for the same seed, and another for another', () => {
    const clusters = [[1, 0], [1], [0, 0, 1], [1, 1]];
    const run = (seed: number) => clusteredBootstrap(clusters, seededRandom(seed), { resamples: 200 });
    expect(run(1)).toEqual(run(1));
    expect(run(1).estimate).toBe(0.625);
    expect(run(1).standardError).not.toBe(run(2).standardError);
  });

  it('has no interval for one task, and nothing for none', () => {
    expect(clusteredBootstrap([[1, 0], []], seededRandom(1))).toEqual({
      estimate: 0.5,
      interval: null,
      standardError: null,
      clusters: 1,
    });
    expect(clusteredBootstrap([], seededRandom(1)).estimate).toBeNull();
  });

  it('stays between the smallest and the largest task', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 4 }), {
          minLength: 2,
          maxLength: 8,
        }),
        fc.nat(),
        (clusters, seed) => {
          const means = clusters.map((c) => c.reduce((s, x) => s + x, 0) / c.length);
          const { interval } = clusteredBootstrap(clusters, seededRandom(seed), { resamples: 50 });
          expect(
            interval !== null &&
              interval.low >= Math.min(...means) - 1e-12 &&
              interval.high <= Math.max(...means) + 1e-12,
          ).toBe(true);
        },
      ),
    );
  });

  it('pairs are clustered by task', () => {
    const result = pairedBootstrap(
      [
        { task: 'x', a: 0, b: 1 },
        { task: 'x', a: 1, b: 1 },
        { task: 'y', a: 1, b: 0 },
      ],
      seededRandom(1),
    );
    expect(result).toMatchObject({ estimate: 0, clusters: 2 });
  });
});

describe('comparePairs', () => {
  it('better, worse, or not enough evidence', () => {
    expect(
      comparePairs(
        pairs(50, () => ({ a: 0, b: 1 })),
        seededRandom(1),
      ).verdict,
    ).toBe('better');
    expect(
      comparePairs(
        pairs(50, () => ({ a: 1, b: 0 })),
        seededRandom(1),
      ).verdict,
    ).toBe('worse');
    const even = comparePairs(
      pairs(50, (i) => ({ a: i % 2, b: (i + 1) % 2 })),
      seededRandom(1),
    );
    expect(even.verdict).toBe('not_enough_evidence');
    expect(even.reasons).toEqual(['The interval of the difference contains zero.']);
    expect(even.morePairsNeeded).toBeNull();
  });

  it('the interval decides also where the exact test alone would: trials of one task are not so many tasks', () => {
    const oneTask = Array.from({ length: 30 }, (_, i) => ({ task: `t${i % 3}`, a: 0, b: i % 3 === 0 ? 1 : 0 }));
    const { verdict, difference, mcnemar } = comparePairs(oneTask, seededRandom(1));
    expect(mcnemar.pValue).toBeLessThan(0.01);
    expect(difference.interval?.low).toBe(0);
    expect(verdict).toBe('not_enough_evidence');
  });

  it('the interval that is shown decides the verdict: it excludes zero, or there is not enough evidence', () => {
    // The interval over tasks alone excludes zero here, and the exact test gives p = 0.070.
    const contested = Array.from({ length: 40 }, (_, i) => ({
      task: `t${i}`,
      a: i < 7 ? 1 : 0,
      b: i === 7 ? 1 : 0,
    }));
    const { verdict, difference, mcnemar } = comparePairs(contested, seededRandom(1));
    expect(pairedBootstrap(contested, seededRandom(1)).interval?.high).toBeLessThan(0);
    expect(mcnemar.pValue).toBeGreaterThan(0.05);
    expect(verdict).toBe('not_enough_evidence');
    expect(difference.interval?.high).toBeGreaterThanOrEqual(0);

    const outcome = fc.constantFrom({ a: 0, b: 0 }, { a: 1, b: 1 }, { a: 1, b: 0 }, { a: 0, b: 1 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ task: fc.nat(30), of: outcome }), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 0, max: 10 }),
        (drawn, more) => {
          const sample = [
            ...drawn.map(({ task, of }, i) => ({ task: `t${task} of ${i % 2}`, ...of })),
            ...Array.from({ length: more }, (_, i) => ({ task: `more ${i}`, a: 1, b: 0 })),
          ];
          const one = comparePairs(sample, seededRandom(1), { resamples: 100 });
          const { low, high } = one.difference.interval ?? { low: 0, high: 0 };
          expect(one.verdict).toBe(low > 0 ? 'better' : high < 0 ? 'worse' : 'not_enough_evidence');
          if (one.verdict !== 'not_enough_evidence') expect(one.mcnemar.pValue).toBeLessThanOrEqual(0.05);
        },
      ),
    );
  });

  it('computes how many more pairs would settle the observed difference', () => {
    // B wins 8 of 40, A wins 4: a difference of 0.1 at 0.3 discordant needs 234 pairs.
    const some = Array.from({ length: 40 }, (_, i) => ({
      task: `t${i}`,
      a: i >= 8 && i < 12 ? 1 : 0,
      b: i < 8 ? 1 : 0,
    }));
    const result = comparePairs(some, seededRandom(1));
    expect(result.verdict).toBe('not_enough_evidence');
    expect(result.morePairsNeeded).toBeGreaterThanOrEqual(194);
    expect(result.morePairsNeeded).toBeLessThan(220);
    expect(result.minimumDetectableEffect).toBeGreaterThan(0.2);
  });

  it('a difference within the noise floor is not evidence', () => {
    const result = comparePairs(
      pairs(50, () => ({ a: 0, b: 1 })),
      seededRandom(1),
      { noiseFloor: 1 },
    );
    expect(result.reasons).toEqual(['The difference is within the A/A noise of 1.000.']);
  });

  it('compares trials where there is one task, and nothing where there are none', () => {
    const one = comparePairs(
      Array.from({ length: 20 }, () => ({ task: 'only', a: 0, b: 1 })),
      seededRandom(1),
    );
    expect(one.verdict).toBe('better');
    expect(comparePairs([], seededRandom(1))).toMatchObject({
      verdict: 'not_enough_evidence',
      pairs: 0,
      morePairsNeeded: null,
    });
  });

  it('is mirrored when the variants are swapped', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: fc.integer({ min: 0, max: 1 }), b: fc.integer({ min: 0, max: 1 }) }), {
          minLength: 2,
          maxLength: 40,
        }),
        (drawn) => {
          const one = drawn.map((d, i) => ({ task: `t${i}`, ...d }));
          const other = one.map(({ task, a, b }) => ({ task, a: b, b: a }));
          const [ab, ba] = [
            comparePairs(one, seededRandom(3), { resamples: 200 }),
            comparePairs(other, seededRandom(3), { resamples: 200 }),
          ];
          expect(ba.mcnemar).toEqual(ab.mcnemar);
          expect(ba.difference.estimate).toBeCloseTo(-(ab.difference.estimate ?? 0), 12);
          expect(ba.minimumDetectableEffect ?? 9).toBeCloseTo(ab.minimumDetectableEffect ?? 9, 9);
        },
      ),
    );
  });
});

describe('aaNoiseFloor', () => {
  it('is zero if a variant always gives the same result, and unknown if no task has two trials', () => {
    expect(
      aaNoiseFloor(
        [
          [1, 1, 1],
          [0, 0],
        ],
        seededRandom(1),
      ),
    ).toEqual({ floor: 0, tasks: 2 });
    expect(aaNoiseFloor([[1], [0]], seededRandom(1))).toEqual({ floor: null, tasks: 0 });
  });

  it('leaves the lists as they were', () => {
    const trials = [[1, 0, 1, 0]];
    aaNoiseFloor(trials, seededRandom(1), { resamples: 20 });
    expect(trials).toEqual([[1, 0, 1, 0]]);
  });
});

describe('claimEligibility', () => {
  const arm: ClaimArm = {
    name: 'A',
    samples: 20,
    versions: {
      chromium: '140.0.7339.80',
      server: '1.7.15',
      model: 'some-model-2025-08-07',
      commit: 'sha256:0badcafe',
    },
    contracts: { t1: 'h1' },
  };

  it('a pinned arm with enough samples is a headline', () => {
    expect(claimEligibility('task', [arm, { ...arm, name: 'B' }])).toEqual({
      eligible: true,
      label: 'headline',
      reasons: [],
    });
    expect(claimEligibility('suite', [{ ...arm, samples: 10 }]).eligible).toBe(true);
  });

  it('needs 10 samples for a suite and 20 for a task', () => {
    expect(claimEligibility('suite', [{ ...arm, samples: 9 }]).reasons).toEqual([
      'A has 9 samples; a claim about a suite needs 10.',
    ]);
    expect(claimEligibility('task', [{ ...arm, samples: 19 }]).reasons).toEqual([
      'A has 19 samples; a claim about a task needs 20.',
    ]);
    expect(claimEligibility('task', []).reasons).toEqual(['Nothing was measured.']);
  });

  it.each(['', 'latest', '^1.2.3', '~1.2', '1.2', '1.x', '>=1.0.0', 'main', '*', '1.2.3 || 2.0.0', 'gpt-5'])(
    '"%s" pins nothing',
    (version) => {
      expect(claimEligibility('suite', [{ ...arm, versions: { server: version } }]).reasons).toEqual([
        `A does not pin server (${version || 'no version'}).`,
      ]);
    },
  );

  it('names every difference between the contracts, and missing versions and contracts', () => {
    const other = { ...arm, name: 'B', contracts: { t1: 'h2', t2: 'h3' } };
    expect(claimEligibility('suite', [arm, other]).reasons).toEqual([
      'A and B use different contracts for task t1.',
      'Only B has task t2.',
    ]);
    expect(claimEligibility('suite', [{ ...arm, versions: {}, contracts: {} }])).toEqual({
      eligible: false,
      label: 'diagnostic',
      reasons: ['A names no versions.', 'A names no contracts.'],
    });
    expect(claimEligibility('suite', [arm, { ...arm, name: 'B', contracts: { constructor: 'h' } }]).reasons).toEqual([
      'Only B has task constructor.',
      'Only A has task t1.',
    ]);
  });
});
