import { expect, test } from 'vitest';
import { ITEMS } from '../../../test/browser-harness/samples.ts';
import { checkerOf } from '../questions/scoring-method.ts';
import { GRADER_KINDS } from './grader-spec.ts';
import { decidingGrade, furtherNameProblem, isDeciding } from './question-grade.ts';

const grade = (grader: string, round: number, verdict = 'pass') => ({ grader, round, verdict });

test('every question is decided by its own checker or judge', () => {
  for (const item of ITEMS) expect(isDeciding(checkerOf(item)?.kind ?? 'none')).toBe(true);
});

test('of the deciding grades the latest round counts, and of one round the one that came later', () => {
  expect(decidingGrade([])).toBeUndefined();
  expect(decidingGrade([grade('exact', 2, 'fail'), grade('judge', 1)])).toEqual(grade('exact', 2, 'fail'));
  expect(decidingGrade([grade('exact', 1, 'fail'), grade('judge', 1)])).toEqual(grade('judge', 1));
});

test('a grade of a further grader decides nothing, however late it is', () => {
  expect(decidingGrade([grade('rubric', 1)])).toBeUndefined();
  expect(decidingGrade([grade('exact', 1, 'fail'), grade('rubric', 7)])).toEqual(grade('exact', 1, 'fail'));
});

test('no kind of further grader has the name of a deciding one, and none can be given it', () => {
  expect(GRADER_KINDS.filter(isDeciding)).toEqual([]);
  expect(furtherNameProblem('rubric')).toBeUndefined();
  expect(furtherNameProblem('none')).toBe(
    'has the name "none", under which a question\'s own checker or judge is kept; choose another "name"',
  );
});
