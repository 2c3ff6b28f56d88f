import { describe, expect, it } from 'vitest';
import { compareSamples } from './compare-samples.ts';
import type { OutcomeClass } from './outcome.ts';
import type { RunSample } from './run-sample.ts';
import { trendOf } from './trend.ts';

type Outcomes = Record<string, (OutcomeClass | null)[]>;

const sampleOf = (name: string, outcomes: Outcomes, more: Partial<RunSample> = {}): RunSample => ({
  runId: name,
  name,
  kind: 'tasks',
  startedAt: '2026-01-01T00:00:00.000Z',
  suite: { name: 'shop', hash: 'h' },
  settings: { server: 'embedded' },
  versions: { server: '1.2.3' },
  notes: [],
  cases: Object.keys(outcomes).map((id) => ({ id, tags: [id.slice(0, 1)], contract: `contract of ${id}` })),
  trials: Object.entries(outcomes).flatMap(([caseId, of]) =>
    of.map((outcome, index) => ({
      caseId,
      trial: index + 1,
      outcome,
      attempt: 1,
      steps: 4,
      durationMs: 100,
      tokens: null,
      costUsd: null,
    })),
  ),
  ...more,
});
const all = (count: number, outcome: OutcomeClass, trials: number, prefix = 'a'): Outcomes =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, Array(trials).fill(outcome)]));

describe('compareSamples', () => {
  it('pairs by case and trial, and says better, worse, or not enough evidence', () => {
    const [good, bad] = [sampleOf('good', all(10, 'passed', 3)), sampleOf('bad', all(10, 'failed', 3))];
    expect(compareSamples(bad, good)).toMatchObject({ overall: { verdict: 'better', pairs: 30 }, moreTrials: null });
    const worse = compareSamples(good, bad);
    expect(worse.overall.verdict).toBe('worse');
    expect(worse.regressions).toContainEqual({ scope: 'suite', name: 'shop' });
    expect(compareSamples(good, good)).toMatchObject({ overall: { verdict: 'not_enough_evidence' }, regressions: [] });
  });

  it('where no pair differs, says what might have gone unnoticed', () => {
    const good = sampleOf('good', all(17, 'passed', 5));
    expect(compareSamples(good, good).undetected).toBeCloseTo(1 - 0.05 ** (1 / 17), 12);
    const one = sampleOf('one', { ...all(17, 'passed', 5), a0: ['failed', 'passed', 'passed', 'passed', 'passed'] });
    expect(compareSamples(good, one).undetected).toBeNull();
  });

  it('a fault is in no pair, unless faults count as not passed', () => {
    const good = sampleOf('good', { a: ['passed', 'passed'], b: ['passed', 'passed'] });
    const faulty = sampleOf('faulty', { a: ['env_error', 'passed'], b: ['passed', null] });
    expect(compareSamples(good, faulty)).toMatchObject({
      overall: { pairs: 2, difference: { estimate: 0 } },
      unpaired: { onlyA: 0, onlyB: 0, notDecided: 2 },
    });
    expect(compareSamples(good, faulty, { counting: 'strict' })).toMatchObject({
      overall: { pairs: 4, difference: { estimate: -0.5 } },
      outcomes: [
        { outcome: 'passed', a: 4, b: 2 },
        { outcome: 'env_error', a: 0, b: 1 },
        { outcome: 'not_finished', a: 0, b: 1 },
      ],
      changes: [
        { a: 'passed', b: 'env_error', pairs: 1 },
        { a: 'passed', b: 'not_finished', pairs: 1 },
      ],
    });
  });

  it('a case that broke is found by itself, at a level that the rows of the table share', () => {
    const before = sampleOf('before', all(17, 'passed', 10));
    const after = sampleOf('after', { ...all(17, 'passed', 10), a3: Array(10).fill('failed') });
    const { overall, regressions, confidence, cases } = compareSamples(before, after);
    expect(overall.verdict).toBe('not_enough_evidence');
    expect(confidence.cases).toBeCloseTo(1 - 0.05 / 17, 12);
    expect(regressions).toEqual([{ scope: 'case', name: 'a3' }]);
    expect(cases.find(({ name }) => name === 'a3')?.comparison.difference.estimate).toBe(-1);
    const few = sampleOf('few', { ...all(17, 'passed', 5), a3: Array(5).fill('failed') });
    const unsure = compareSamples(sampleOf('b', all(17, 'passed', 5)), few);
    expect(unsure.regressions).toEqual([]);
    expect(unsure.cases.find(({ name }) => name === 'a3')?.moreTrials).toBeGreaterThan(0);
  });

  it('groups by the tags of cases', () => {
    const a = sampleOf('a', { ...all(6, 'passed', 4, 'x'), ...all(6, 'passed', 4, 'y') });
    const b = sampleOf('b', { ...all(6, 'failed', 4, 'x'), ...all(6, 'passed', 4, 'y') });
    const { tags, regressions } = compareSamples(a, b);
    expect(tags.map(({ name, comparison: { verdict, pairs } }) => [name, verdict, pairs])).toEqual([
      ['x', 'worse', 24],
      ['y', 'not_enough_evidence', 24],
    ]);
    expect(regressions).toContainEqual({ scope: 'tag', name: 'x' });
  });

  it('a difference within the noise of a run’s own trials is no evidence', () => {
    const steady = sampleOf('steady', all(10, 'passed', 2));
    const noisy = sampleOf(
      'noisy',
      Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`a${i}`, ['passed', 'failed']])),
    );
    const { noiseFloor, overall } = compareSamples(steady, noisy);
    expect(noiseFloor).toBeGreaterThan(0);
    // One trial of a case shows no noise.
    expect(
      compareSamples(sampleOf('x', all(10, 'passed', 1)), sampleOf('y', all(10, 'failed', 1))).noiseFloor,
    ).toBeNull();
    expect(Math.abs(overall.difference.estimate ?? 0)).toBe(0.5);
  });

  it('names what differs between the variants', () => {
    const a = sampleOf('a', all(2, 'passed', 1));
    const b = sampleOf('b', all(2, 'passed', 1), {
      settings: { server: 'playwright', observe: 'text' },
      versions: { server: '2.0.0' },
    });
    expect(compareSamples(a, b).differences).toEqual([
      { name: 'server', a: 'embedded', b: 'playwright' },
      { name: 'version of server', a: '1.2.3', b: '2.0.0' },
      { name: 'observe', a: null, b: 'text' },
    ]);
  });

  it('a headline needs samples, pinned versions, the same contracts, and nothing that speaks against it', () => {
    const a = sampleOf('a', all(10, 'passed', 1));
    expect(compareSamples(a, sampleOf('b', all(10, 'passed', 1))).claim).toMatchObject({ label: 'headline' });
    const other = sampleOf('b', all(9, 'passed', 1), {
      notes: ['It was made with the test model.'],
      versions: { server: 'latest' },
    });
    const [first, ...cases] = other.cases;
    const changed = { ...other, cases: [{ id: 'a0', tags: [], contract: 'another' }, ...(first ? cases : [])] };
    expect(compareSamples(a, changed).claim).toEqual({
      eligible: false,
      label: 'diagnostic',
      reasons: [
        'a has 9 samples; a claim about a suite needs 10.',
        'b has 9 samples; a claim about a suite needs 10.',
        'b does not pin server (latest).',
        'a and b use different contracts for task a0.',
        'Only a has task a9.',
        'b: It was made with the test model.',
      ],
    });
    const [row] = compareSamples(a, a).cases;
    expect(row?.claim.reasons[0]).toBe('a has 1 samples; a claim about a task needs 20.');
  });

  it('a task that failed its check keeps what rests on it from being a headline, and nothing else', () => {
    const good = sampleOf('good', { ...all(10, 'passed', 20), ...all(10, 'passed', 20, 'b') });
    const cases = good.cases.map((one) => (one.id === 'a3' ? { ...one, failedCheck: ['start_passes'] } : one));
    const { claim, tags, cases: rows } = compareSamples(good, { ...good, cases });
    const reasons = ['1 task failed waymark check: a3 (start_passes).'];
    expect(claim).toEqual({ eligible: false, label: 'diagnostic', reasons });
    expect(tags.map(({ name, claim: ofTag }) => [name, ofTag.reasons])).toEqual([
      ['a', reasons],
      ['b', []],
    ]);
    expect(rows.filter((row) => !row.claim.eligible).map(({ name }) => name)).toEqual(['a3']);
  });

  it('a case that one run never began has no other contract', () => {
    const a = sampleOf('a', all(11, 'passed', 1));
    const b = sampleOf('b', { ...all(11, 'passed', 1), a0: ['server_error'] });
    const never = { ...b, cases: b.cases.map((one) => (one.id === 'a0' ? { ...one, contract: null } : one)) };
    expect(compareSamples(a, never).claim.reasons).toEqual([]);
  });
});

describe('trendOf', () => {
  it('sorts by time, and marks runs of another suite than the newest one', () => {
    const rows = trendOf([
      sampleOf('new', { a: ['passed'] }, { startedAt: '2026-03-01T00:00:00.000Z' }),
      sampleOf(
        'old',
        { a: ['failed'] },
        { startedAt: '2026-01-01T00:00:00.000Z', suite: { name: 'shop', hash: 'other' } },
      ),
    ]);
    expect(rows.map(({ runId, validOnly, isSameSuite }) => [runId, validOnly.rate, isSameSuite])).toEqual([
      ['old', 0, false],
      ['new', 1, true],
    ]);
  });
});
