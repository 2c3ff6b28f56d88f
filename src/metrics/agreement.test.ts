import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgreementFold, agreementOf } from './agreement.ts';
import { type AgreementTable, cohensKappa, kappaOf } from './kappa.ts';
import { type Random, seededRandom } from './random.ts';

const tableOf = ([bothPass, onlyJudge, onlyReference, neither]: readonly number[]): AgreementTable => ({
  bothPass: bothPass ?? 0,
  onlyJudge: onlyJudge ?? 0,
  onlyReference: onlyReference ?? 0,
  neither: neither ?? 0,
});
const anyTable = fc.array(fc.nat(60), { minLength: 4, maxLength: 4 }).map(tableOf);

describe('cohensKappa', () => {
  it.each([
    ['Wikipedia, "Cohen\'s kappa", grant proposals', [20, 5, 10, 15], 0.4],
    ['the same page, two pairs of raters of equal agreement', [45, 15, 25, 15], 0.1304],
    ['the same page', [25, 35, 5, 35], 0.2593],
    ['Sim and Wright 2005, Physical Therapy 85:257–268, table 1', [22, 2, 4, 11], 0.6667],
  ])('%s', (_source, counts, kappa) => {
    expect(cohensKappa(tableOf(counts)).value).toBeCloseTo(kappa, 4);
  });

  it('has the standard error that the R package statpsych prints for ci.kappa(.05, 31, 12, 4, 58)', () => {
    const { kappa, standardError } = kappaOf(tableOf([31, 12, 4, 58]));
    expect(kappa).toBeCloseTo(0.6756757, 7);
    expect(standardError).toBeCloseTo(0.07344761, 8);
  });

  it('has the standard error that the delta method gives by numeric differentiation', () => {
    const cells = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(cells, (counts) => {
        const n = counts.reduce((sum, count) => sum + count, 0);
        const shares = counts.map((count) => count / n);
        const at = (index: number, by: number) =>
          kappaOf(tableOf(shares.map((share, i) => (i === index ? share + by : share)))).kappa;
        const gradient = shares.map((_, i) => (at(i, 1e-6) - at(i, -1e-6)) / 2e-6);
        const mean = shares.reduce((sum, share, i) => sum + share * (gradient[i] ?? 0), 0);
        const square = shares.reduce((sum, share, i) => sum + share * (gradient[i] ?? 0) ** 2, 0);
        expect(kappaOf(tableOf(counts)).standardError).toBeCloseTo(Math.sqrt((square - mean ** 2) / n), 6);
      }),
    );
  });

  it('is not defined where nothing was compared, and where both sides gave one verdict only', () => {
    const undefinedBecause = (counts: number[]) => cohensKappa(tableOf(counts)).undefinedBecause;
    expect(cohensKappa(tableOf([0, 0, 0, 0]))).toEqual({
      value: null,
      interval: null,
      undefinedBecause: 'nothing was compared',
    });
    expect(undefinedBecause([9, 0, 0, 0])).toMatch(/^all verdicts are "pass", /);
    expect(undefinedBecause([0, 0, 0, 9])).toMatch(/^all verdicts are "fail", /);
  });

  it('is 0 for a judge that always says the same, with an interval of some width', () => {
    const { value, interval } = cohensKappa(tableOf([5, 5, 0, 0]));
    expect(value).toBe(0);
    expect(interval?.low).toBeLessThan(-0.1);
    expect(interval?.high).toBeGreaterThan(0.1);
  });

  it('is 1 where all verdicts are equal, and few of them leave much open', () => {
    const { value, interval } = cohensKappa(tableOf([5, 0, 0, 5]));
    expect(value).toBe(1);
    expect(interval?.high).toBe(1);
    expect(interval?.low).toBeLessThan(0.6);
  });

  it('lies in its interval and in [-1, 1], and is the same for swapped sides and for swapped verdicts', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const kappa = cohensKappa(table);
        if (kappa.value === null || kappa.interval === null) {
          expect(kappa.undefinedBecause).toBeTypeOf('string');
          expect(kappa.interval).toBe(kappa.value);
          return;
        }
        const { low, high } = kappa.interval;
        expect(-1 <= low && low <= kappa.value && kappa.value <= high && high <= 1).toBe(true);
        const sides = cohensKappa({ ...table, onlyJudge: table.onlyReference, onlyReference: table.onlyJudge });
        const verdicts = cohensKappa({
          bothPass: table.neither,
          onlyJudge: table.onlyReference,
          onlyReference: table.onlyJudge,
          neither: table.bothPass,
        });
        for (const other of [sides, verdicts]) {
          expect(other.value).toBeCloseTo(kappa.value, 12);
          expect(other.interval?.low).toBeCloseTo(low, 12);
          expect(other.interval?.high).toBeCloseTo(high, 12);
        }
      }),
    );
  });

  it('refuses counts that are none', () => {
    expect(() => cohensKappa(tableOf([1, 2, -1, 0]))).toThrow(
      'onlyReference is -1, but should be an integer of at least 0.',
    );
    expect(() => cohensKappa(tableOf([1, 2, 1, 0.5]))).toThrow(
      'neither is 0.5, but should be an integer of at least 0.',
    );
  });
});

/** Seeded, so that the draws are the same in every run. `recall` and `specificity` are the judge's, `base` the share of real passes. */
describe('coverage of the 95 % interval of κ', () => {
  it.each([
    { pairs: 15, base: 0.5, recall: 0.9, specificity: 0.9 },
    { pairs: 20, base: 0.1, recall: 0.8, specificity: 0.95 },
    { pairs: 30, base: 0.3, recall: 0.5, specificity: 0.5 },
    { pairs: 50, base: 0.3, recall: 0.9, specificity: 0.85 },
    { pairs: 100, base: 0.5, recall: 0.98, specificity: 0.98 },
    { pairs: 400, base: 0.3, recall: 0.73, specificity: 0.93 },
    // Among the worst of 150 settings.
    { pairs: 10, base: 0.7, recall: 0.5, specificity: 0.99, least: 0.87 },
    { pairs: 20, base: 0.1, recall: 0.9, specificity: 0.7, least: 0.88 },
    { pairs: 50, base: 0.05, recall: 0.99, specificity: 0.9, least: 0.88 },
  ])('$pairs pairs, $base of them passes, recall $recall, specificity $specificity', (setting) => {
    const { pairs, base, recall, specificity, least = 0.93 } = setting;
    const shares = [base * recall, (1 - base) * (1 - specificity), base * (1 - recall), (1 - base) * specificity];
    const real = kappaOf(tableOf(shares)).kappa;
    const random = seededRandom(pairs);
    let defined = 0;
    let covered = 0;
    for (let round = 0; round < 3000; round++) {
      const { interval } = cohensKappa(tableOf(drawCounts(random, pairs, shares)));
      if (interval === null) continue;
      defined++;
      if (interval.low <= real && real <= interval.high) covered++;
    }
    expect(covered / defined).toBeGreaterThan(least);
    expect(covered / defined).toBeLessThan(0.999);
  });
});

describe('agreement', () => {
  it('is counted from pairs of verdicts; what is not a verdict on both sides is beside it', () => {
    const fold = new AgreementFold();
    const add = (times: number, ...pair: Parameters<AgreementFold['add']>) => {
      for (let i = 0; i < times; i++) fold.add(...pair);
    };
    add(8, 'pass', 'pass');
    add(2, 'fail', 'pass');
    add(1, 'pass', 'fail');
    add(9, 'fail', 'fail');
    const alone = fold.result();
    add(3, 'pass', 'error');
    add(2, 'fail', 'skipped');
    add(4, 'error', 'pass');
    add(1, 'skipped', 'error');
    const { notCompared, ...numbers } = fold.result();
    expect(notCompared).toEqual({ noReference: 5, judgeError: 3, judgeSkipped: 2 });
    expect({ ...numbers, notCompared: { noReference: 0, judgeError: 0, judgeSkipped: 0 } }).toEqual(alone);
    expect(numbers.compared).toBe(20);
    expect(numbers.table).toEqual({ bothPass: 8, onlyJudge: 2, onlyReference: 1, neither: 9 });
    expect(numbers.agreement).toMatchObject({ count: 17, of: 20, rate: 0.85 });
    expect(numbers.precision).toMatchObject({ count: 8, of: 10, rate: 0.8 });
    expect(numbers.recall).toMatchObject({ count: 8, of: 9 });
    expect(numbers.specificity).toMatchObject({ count: 9, of: 11 });
    // Newcombe's (1998) method for 8 of 10.
    expect(numbers.precision.interval.low).toBeCloseTo(0.4902, 4);
    expect(numbers.precision.interval.high).toBeCloseTo(0.9433, 4);
  });

  it('is null, never zero, where there is nothing to divide by', () => {
    const { agreement, precision, recall, specificity, kappa } = agreementOf(tableOf([0, 0, 0, 0]));
    for (const share of [agreement, precision, recall, specificity])
      expect(share).toEqual({ count: 0, of: 0, rate: null, interval: { low: 0, high: 1 } });
    expect(kappa.value).toBeNull();
    const neverPasses = agreementOf(tableOf([0, 0, 4, 6]));
    expect(neverPasses.precision.rate).toBeNull();
    expect(neverPasses.recall.rate).toBe(0);
    expect(neverPasses.specificity.rate).toBe(1);
  });

  it('adds up', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const { compared, agreement, precision, recall, specificity } = agreementOf(table);
        expect(agreement.of).toBe(compared);
        expect(recall.of + specificity.of).toBe(compared);
        expect(precision.count).toBe(recall.count);
        expect(agreement.count).toBe(recall.count + specificity.count);
      }),
    );
  });
});

function drawCounts(random: Random, pairs: number, shares: readonly number[]): number[] {
  const upTo = shares.map((_, index) => shares.slice(0, index + 1).reduce((sum, share) => sum + share, 0));
  const counts = shares.map(() => 0);
  for (let i = 0; i < pairs; i++) {
    const drawn = random();
    const cell = upTo.findIndex((bound) => drawn < bound);
    const at = cell === -1 ? shares.length - 1 : cell;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
