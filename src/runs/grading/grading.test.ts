import { describe, expect, test } from 'vitest';
import { ITEMS } from '../../../test/browser-harness/samples.ts';
import { scoringMethod } from '../../cases/index.ts';
import { seededRandom, wilsonInterval } from '../../metrics/index.ts';
import { compareRuns } from './compare-runs.ts';
import { decidingGrades, type GradeRow } from './deciding-grades.ts';
import { judgeForRun } from './judge-for-run.ts';
import { planGrading } from './plan-grading.ts';
import { summarise } from './summarise.ts';

const row = (caseId: string, verdict: GradeRow['verdict'], round = 1, score?: number): GradeRow => ({
  caseId,
  grader: 'exact',
  round,
  verdict,
  score: score ?? (verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null),
});

describe('planning', () => {
  test('each item has its method', () => {
    expect(Object.fromEntries(ITEMS.map((item) => [item.id, scoringMethod(item)]))).toEqual({
      'free-1': 'programmatic',
      'free-2': 'programmatic',
      'mcq-1': 'programmatic',
      'mcq-2': 'programmatic',
      'num-1': 'programmatic',
      'regex-1': 'programmatic',
      'judge-1': 'judge_required',
      'open-1': 'unscorable',
    });
  });

  test('nobody scores what was not answered', () => {
    const plan = planGrading(
      [
        { id: 'free-1', status: 'answered', response: 'x' },
        { id: 'free-2', status: 'error', response: 'half' },
        { id: 'mcq-1', status: 'missing', response: null },
        { id: 'judge-1', status: 'answered', response: 'y' },
        { id: 'open-1', status: 'answered', response: 'z' },
        { id: 'gone', status: 'answered', response: 'z' },
      ],
      ITEMS,
    );
    expect(plan).toEqual({
      grades: [
        { id: 'free-1', by: 'checker', response: 'x' },
        { id: 'free-2', by: 'none', reason: 'not_answered' },
        { id: 'mcq-1', by: 'none', reason: 'not_answered' },
        { id: 'judge-1', by: 'judge', response: 'y' },
        { id: 'open-1', by: 'none', reason: 'unscorable' },
        { id: 'gone', by: 'none', reason: 'item_gone' },
      ],
      needsJudge: true,
    });
    expect(planGrading([{ id: 'judge-1', status: 'error', response: null }], ITEMS).needsJudge).toBe(false);
  });

  const api = { id: 'p1', surface: 'api' as const };
  const web = { id: 'w1', surface: 'browser' as const };
  test.each([
    [
      'the configured one',
      { provider_id: 'p1', model: 'm', prompt: 'x' },
      api,
      web,
      null,
      { status: 'ready', provider_id: 'p1', model: 'm', prompt: 'x' },
    ],
    [
      "an older run's own",
      null,
      undefined,
      api,
      'gpt',
      { status: 'ready', provider_id: 'p1', model: 'gpt', prompt: '' },
    ],
    [
      'an older capture',
      null,
      undefined,
      web,
      null,
      { status: 'blocked', reason: 'Items need a judge, and the run has none.' },
    ],
    [
      'one that is gone',
      { provider_id: 'p1', model: 'm' },
      undefined,
      api,
      null,
      { status: 'blocked', reason: "The judge's provider p1 is not there any more." },
    ],
    [
      'a web page',
      { provider_id: 'w1', model: 'm' },
      web,
      web,
      null,
      { status: 'blocked', reason: "The judge's provider is not an API provider." },
    ],
    [
      'one without a model',
      { provider_id: 'p1', model: '' },
      api,
      api,
      'gpt',
      { status: 'blocked', reason: 'The judge has no model.' },
    ],
  ])('the judge of a run: %s', (_, config, configured, own, ownModel, expected) => {
    expect(judgeForRun(config, configured, own, ownModel)).toEqual(expected);
  });
});

describe('a summary', () => {
  const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) => ({ id, section: index < 2 ? 'one' : 'two' }));
  const rows = [
    row('a', 'pass'),
    row('b', 'fail'),
    row('c', 'error'),
    row('d', 'skipped'),
    row('e', 'fail', 1, 0.8),
    row('z', 'pass'),
  ];

  test('counts accuracy over what was scored, beside coverage', () => {
    const summary = summarise(items, rows);
    expect(summary).toMatchObject({
      total: 6,
      scored: 3,
      coverage: 0.5,
      passed: 1,
      accuracy: 1 / 3,
      interval: wilsonInterval(1, 3),
      verdicts: { pass: 1, fail: 2, error: 1, skipped: 1, unscored: 1 },
      sections: [
        { section: 'one', total: 2, scored: 2, coverage: 1, passed: 1, accuracy: 0.5 },
        { section: 'two', total: 4, scored: 1, coverage: 0.25, passed: 0, accuracy: 0 },
      ],
    });
    expect(summary.mean_value).toBeCloseTo(0.6, 12);
  });

  test('counts the latest attempt, and of one attempt the latest row', () => {
    const again = [...rows, row('b', 'pass', 2), row('a', 'error', 2), row('e', 'pass', 1)];
    expect(summarise(items, again)).toMatchObject({ scored: 2, passed: 2, verdicts: { pass: 2, fail: 0, error: 2 } });
    expect(decidingGrades([row('a', 'pass', 3), row('a', 'fail', 2)]).get('a')?.verdict).toBe('pass');
  });

  test('counts no grade of a further grader, however late', () => {
    const rubric = items.map(({ id }) => ({ ...row(id, 'pass', 9), grader: 'rubric' }));
    expect(summarise(items, [...rows, ...rubric])).toEqual(summarise(items, rows));
    expect(decidingGrades(rubric).size).toBe(0);
  });

  test('of nothing claims nothing', () => {
    expect(summarise([], [])).toMatchObject({
      total: 0,
      coverage: null,
      accuracy: null,
      mean_value: null,
      interval: { low: 0, high: 1 },
    });
    expect(summarise(items, [])).toMatchObject({ scored: 0, coverage: 0, accuracy: null, verdicts: { unscored: 6 } });
  });
});

describe('two runs', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `i${index}`);
  const run = (id: string, grades: GradeRow[], version = 'v1') => ({
    id,
    dataset_id: 'ds',
    version_hash: version,
    grades,
  });
  const a = run(
    'A',
    ids.map((id, index) => row(id, index < 20 ? 'pass' : 'fail')),
  );
  const b = run(
    'B',
    ids.map((id, index) => row(id, index < 2 ? 'error' : index === 2 ? 'fail' : 'pass')),
  );

  test('are compared item by item, over what both have a score for', () => {
    const { items, counts, statistics } = compareRuns(a, b, ids, seededRandom(1));
    expect(counts).toEqual({ both_pass: 17, both_fail: 0, only_a: 1, only_b: 20, unpaired: 2 });
    expect(items[0]).toEqual({ id: 'i0', a: row('i0', 'pass'), b: row('i0', 'error'), change: 'unpaired' });
    expect(items[2]?.change).toBe('only_a');
    expect(statistics).toMatchObject({ verdict: 'better', pairs: 38 });
    expect(statistics.difference.estimate).toBeCloseTo(19 / 38, 12);
    expect(statistics.mcnemar.informative).toBe(21);
  });

  test('grades of further graders are not compared', () => {
    const rubric = ids.map((id) => ({ ...row(id, 'fail', 2), grader: 'rubric' }));
    const beside = compareRuns(a, run('B', [...b.grades, ...rubric]), ids, seededRandom(1));
    expect(beside).toEqual(compareRuns(a, b, ids, seededRandom(1)));
  });

  test('an item that one run never had is unpaired', () => {
    const { counts, items } = compareRuns(a, run('C', []), ids, seededRandom(1));
    expect(counts.unpaired).toBe(40);
    expect(items[0]?.b).toBeNull();
  });

  test.each([
    ['version', run('B', [], 'v2')],
    ['dataset', { ...run('B', []), dataset_id: 'other' }],
  ])('of another %s are not compared', (_, other) => {
    expect(() => compareRuns(a, other, ids, seededRandom(1))).toThrow(
      expect.objectContaining({ code: 'runs_not_comparable', status: 422 }),
    );
  });
});
