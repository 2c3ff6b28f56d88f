/** The final answer of an attempt against a checker: what the spec says, otherwise what the question itself says. */
import { checkerOf, type Measure } from '../../cases/index.ts';
import { type AnswerSpec, nameOfSpec, specChecker } from '../../cases/schemas.ts';
import type { Assessment, GradedCase, Grader } from '../grader.ts';
import { missingAnswer } from '../missing-answer.ts';
import { checkAnswer } from './check-answer.ts';

export function answerGrader(spec: AnswerSpec): Grader {
  return {
    name: nameOfSpec(spec),
    version: '1',
    grade(attempt) {
      const measure = measureOf(spec, attempt.subject);
      if (!measure) return { verdict: 'skipped', reasoning: 'The case says neither a checker nor a right answer.' };
      return attempt.answer === null ? missingAnswer(attempt) : assess(measure, attempt.answer);
    },
  };
}

function measureOf(spec: AnswerSpec, subject: GradedCase): Measure | undefined {
  const { expected, choices } = spec;
  const checker = specChecker(spec);
  if (checker) return { checker, expected, choices };
  if (subject.kind === 'task') return undefined;
  const own = checkerOf(subject.item);
  return own && { checker: own, expected: subject.item.answer, choices: subject.item.choices };
}

function assess(measure: Measure, answer: string): Assessment {
  const { verdict, value, detail } = checkAnswer(measure, answer);
  const { reason, ...rest } = detail;
  const known = Object.entries(rest).filter(([, one]) => one !== undefined);
  return {
    verdict,
    score: value,
    reasoning: reason,
    details: { checker: measure.checker.kind, ...Object.fromEntries(known) },
  };
}
