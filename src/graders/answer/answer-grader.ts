/** The final answer of an attempt against a checker: what the spec says, otherwise what the question itself says. */
import { checkerOf, type Measure } from '../../cases/index.ts';
import { type AnswerSpec, nameOfSpec, specChecker } from '../../cases/schemas.ts';
import type { JournalEvent } from '../../events/index.ts';
import { isAgentOutcome, outcomeClass } from '../../metrics/index.ts';
import type { Assessment, AttemptReader, GradedCase, Grader } from '../grader.ts';
import { checkAnswer } from './check-answer.ts';

export function answerGrader(spec: AnswerSpec): Grader {
  return {
    name: nameOfSpec(spec),
    version: '1',
    grade(attempt) {
      const measure = measureOf(spec, attempt.subject);
      if (!measure) return { verdict: 'skipped', reasoning: 'The case says neither a checker nor a right answer.' };
      return attempt.answer === null ? withoutAnswer(attempt) : assess(measure, attempt.answer);
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

/** The agent fails where it ended by itself and said nothing; where something else ended the attempt, it could not answer. */
function withoutAnswer({ subject, events }: AttemptReader): Assessment {
  const stop = events.findLast((event): event is Extract<JournalEvent, { type: 'stop' }> => event.type === 'stop');
  const isOwnEnd =
    subject.kind === 'task' &&
    stop !== undefined &&
    !stop.interrupted &&
    isAgentOutcome(outcomeClass(stop.status, stop.cause));
  if (isOwnEnd) return { verdict: 'fail', reasoning: 'The agent gave no answer.' };
  const why = stop ? `the attempt ended otherwise: ${stop.reason}` : 'the attempt was cut off.';
  return { verdict: 'skipped', reasoning: `There is no answer, because ${why}` };
}
