import { expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import { type EpisodeResult, episodeResult, type GradeOfResult, type GradeVerdict } from '../events/index.ts';
import { notComparedText } from './agreement-text.ts';
import { GradeCostFold, gradeCostText, gradeTokenText } from './grade-costs.ts';
import { differencesIn, gradedTask, hasFurtherGrades } from './graded-attempt.ts';
import { GraderFold } from './grader-fold.ts';
import { verdictTable } from './grader-tables.ts';

const passed: EpisodeResult = {
  ...episodeResult(documentedEvents, { artifacts: { eventsJsonl: 'e/events.jsonl', reportJson: 'report.json' } }),
  status: 'passed',
  success: true,
  outcome: 'passed',
  finalVerdict: 'pass',
};
const failed: EpisodeResult = { ...passed, status: 'failed', success: false, outcome: 'failed', finalVerdict: 'fail' };
const broken: EpisodeResult = { ...failed, status: 'tool_error', outcome: 'server_error', finalVerdict: 'not_judged' };

const judged = (verdict: GradeVerdict, more: Partial<GradeOfResult> = {}): GradeOfResult => ({
  grader: 'webjudge',
  verdict,
  score: verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null,
  reasoning: `The judge says ${verdict}.`,
  ...more,
});

test('an attempt that only its contract has judged has one verdict: the contract’s, and no failure where a fault ended it', () => {
  const verdicts = [passed, failed, broken].map((result) => gradedTask(result).grades.map(({ verdict }) => verdict));
  expect(verdicts).toEqual([['pass'], ['fail'], ['error']]);
  expect(hasFurtherGrades(gradedTask(passed))).toBe(false);
  const fold = new GraderFold();
  fold.add(gradedTask(passed));
  expect(fold.summary()).toBeUndefined();
});

test('a verdict that differs from the deciding one is told; without two verdicts there is no difference', () => {
  const differing = (result: EpisodeResult) => differencesIn(gradedTask(result)).map(({ grader }) => grader);
  expect(differing({ ...failed, grades: [judged('pass')] })).toEqual(['webjudge']);
  expect(differing({ ...failed, grades: [judged('fail')] })).toEqual([]);
  expect(differing({ ...failed, grades: [judged('error')] })).toEqual([]);
  expect(differing({ ...broken, grades: [judged('pass')] })).toEqual([]);
});

test('where another grader decides, the contract stands beside it with its own verdict', () => {
  const decided = {
    ...failed,
    success: true,
    outcome: 'passed' as const,
    decidedBy: 'webjudge',
    grades: [judged('pass')],
  };
  expect(differencesIn(gradedTask(decided)).map(({ grader, verdict }) => [grader, verdict])).toEqual([
    ['contract', 'fail'],
  ]);
  const silent = { ...failed, outcome: 'grader_error' as const, decidedBy: 'webjudge' };
  expect(gradedTask(silent).grades.map(({ grader, verdict }) => [grader, verdict])).toEqual([
    ['contract', 'fail'],
    ['webjudge', 'error'],
  ]);
});

test('graders stand side by side with their rates, costs and agreement, and errors are in no agreement', () => {
  const fold = new GraderFold();
  const cost = { calls: 3, inputTokens: 1000, outputTokens: 50, usd: 0.01 };
  const grade = (result: EpisodeResult, ...grades: GradeOfResult[]) => fold.add(gradedTask({ ...result, grades }));
  grade(passed, judged('pass', { model: 'openai:o4-mini', cost }));
  grade(passed, judged('fail', { model: 'openai:o4-mini', cost }));
  grade(failed, judged('pass', { model: 'openai:o4-mini', cost: { calls: 1, inputTokens: 10 } }));
  grade(failed, judged('fail'));
  grade(failed, judged('error'));
  grade(broken, judged('fail'));
  grade(failed);
  const [contract, webjudge] = fold.summary() ?? [];
  expect(contract).toMatchObject({
    grader: 'contract',
    decides: 7,
    verdicts: { pass: 2, fail: 4, error: 1, skipped: 0 },
    passRate: { count: 2, of: 6 },
    passRateWithErrors: { count: 2, of: 7 },
  });
  expect(contract).not.toHaveProperty('agreement');
  expect(webjudge).toMatchObject({
    grader: 'webjudge',
    models: ['openai:o4-mini'],
    verdicts: { pass: 2, fail: 3, error: 1, skipped: 0 },
    passRate: { count: 2, of: 5 },
    passRateWithErrors: { count: 2, of: 6 },
    cost: { calls: 7, inputTokens: 2010, outputTokens: null, usd: 0.02, unknownUsd: 1 },
    agreement: {
      with: ['contract'],
      compared: 4,
      table: { bothPass: 1, onlyJudge: 1, onlyReference: 1, neither: 1 },
      notCompared: { noReference: 1, judgeError: 1, judgeSkipped: 0 },
    },
  });
  expect(webjudge).not.toHaveProperty('decides');
});

test('what is not known is called so', () => {
  const costs = new GradeCostFold();
  costs.add(undefined);
  costs.add({ calls: 0 });
  expect(costs.sum()).toBeUndefined();
  costs.add({ calls: 2 });
  const unknown = costs.sum();
  if (!unknown) throw new Error('no sum');
  expect(gradeCostText(unknown)).toBe('unknown for 1 grade');
  expect(gradeTokenText(unknown)).toBe('unknown / unknown');
  costs.add({ calls: 1, inputTokens: 1, outputTokens: 1, usd: 0.25 });
  expect(gradeCostText(costs.sum() ?? unknown)).toBe('$0.25, unknown for 1 grade');
  expect(notComparedText({ noReference: 0, judgeError: 0, judgeSkipped: 0 })).toBe('');
  expect(notComparedText({ noReference: 1, judgeError: 2, judgeSkipped: 3 })).toBe('2 errors, 3 skipped, 1 undecided');
});

test('verdicts of the test model are labelled', () => {
  const fold = new GraderFold();
  for (const model of ['openai-compatible:test:gullible', 'openai:o4-mini'])
    fold.add(gradedTask({ ...passed, grades: [judged('pass', { model })] }));
  const { rows } = verdictTable(fold.summary() ?? []);
  expect(rows.map(({ about }) => about)).toEqual(['', 'openai-compatible:test:gullible (test model), openai:o4-mini']);
});
