import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANSWER_ERRORS, type AnswerState, answerOutcome } from './answer-outcome.ts';

const page = readFileSync(new URL('../../docs/reference/outcomes.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);

test('the page names every code of an error, with its outcome class', () => {
  const documented = rows.flatMap(([code = '', , outcome = '']) =>
    /^`\w+`$/.test(code) && !['`answered`', '`missing`', '`error`'].includes(code)
      ? [[code.slice(1, -1), outcome.slice(1, -1)]]
      : [],
  );
  expect(Object.fromEntries(documented)).toEqual(ANSWER_ERRORS);
  for (const [code = '', outcome] of documented) expect(answerOutcome({ status: 'error', code })).toBe(outcome);
});

test.each<[AnswerState, string, string]>([
  [{ status: 'answered', verdict: 'pass' }, '`answered` | `pass`', '`passed`'],
  [{ status: 'answered', verdict: 'fail' }, '`answered` | `fail`', '`failed`'],
  [{ status: 'answered', verdict: 'error' }, '`answered` | `error`', '`grader_error`'],
  [{ status: 'answered', verdict: 'skipped' }, '`answered` | `skipped`, or none', 'none: nothing could grade it'],
  [{ status: 'answered', verdict: null }, '`answered` | `skipped`, or none', 'none: nothing could grade it'],
  [{ status: 'missing' }, '`missing` | any', 'none: it was never asked'],
])('%j is on the page as it is', (state, cells, outcome) => {
  expect(page).toContain(`| ${cells} | ${outcome} |`);
  expect(answerOutcome(state)).toBe(outcome.startsWith('none') ? null : outcome.slice(1, -1));
});

test('a code that is not known is never a wrong answer', () => {
  expect(answerOutcome({ status: 'error', code: 'of_a_later_version' })).toBe('adapter_error');
});
