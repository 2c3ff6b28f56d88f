/** Asks one question about the answer and the last screenshots, as WebVoyager's judge does. It believes the answer: see docs/explanation/judges.md. */
import { nameOfSpec, type WebvoyagerSpec } from '../../cases/schemas.ts';
import type { Grader } from '../grader.ts';
import { loadPicture, pictureKeys } from '../judge/attempt-pictures.ts';
import { judgingGrader, noVerdict, reasonsOf } from '../judge/judging-grader.ts';
import { skipped } from '../judge/not-judged.ts';
import { missingAnswer } from '../missing-answer.ts';
import { parseWebvoyager } from './parse-webvoyager.ts';
import { webvoyagerRequest } from './webvoyager-prompt.ts';

const PICTURES = 15;

export function webvoyagerGrader(spec: WebvoyagerSpec): Grader {
  return judgingGrader({
    name: nameOfSpec(spec),
    version: '1',
    timeoutMs: 300_000,
    async judge(attempt, { judge, signal }) {
      const { subject, answer, events } = attempt;
      if (subject.kind === 'question')
        return skipped('It judges browser tasks by screenshots, and a question has none.');
      if (answer === null || answer.trim() === '') return missingAnswer(attempt);
      const keys = pictureKeys(events).slice(-(spec.pictures ?? PICTURES));
      if (keys.length === 0) return skipped('The attempt has no screenshots to judge by.');
      const pictures = await Promise.all(keys.map((key) => loadPicture(attempt, key)));
      const said = parseWebvoyager(await judge.ask(webvoyagerRequest(subject.task, answer, pictures), signal));
      if (!said) return noVerdict('verdict', { pictures: keys });
      return { verdict: said.verdict, reasoning: reasonsOf(said.thoughts), details: { pictures: keys } };
    },
  });
}
