/** Key points, then each screenshot scored, then a verdict on those that matter, as WebJudge does. */
import { nameOfSpec, type WebjudgeSpec } from '../../cases/schemas.ts';
import type { Grader } from '../grader.ts';
import { actionHistory } from '../judge/action-history.ts';
import { loadPicture, pictureKeys } from '../judge/attempt-pictures.ts';
import { inParallel } from '../judge/in-parallel.ts';
import { judgingGrader, noVerdict, reasonsOf } from '../judge/judging-grader.ts';
import { skipped } from '../judge/not-judged.ts';
import { parseKeyPoints, parseWebjudgeScore, parseWebjudgeVerdict } from './parse-webjudge.ts';
import { keyPointsRequest, scoreRequest, verdictRequest } from './webjudge-prompts.ts';

const AT_ONCE = 4;

/** By default with WebJudge's own threshold and number of pictures. It makes at most `maxScored` + 2 calls, retries not counted. */
export function webjudgeGrader(spec: WebjudgeSpec): Grader {
  const { threshold = 3, maxScored = 50, maxPictures = 50 } = spec;
  return judgingGrader({
    name: nameOfSpec(spec),
    version: '1',
    timeoutMs: 900_000,
    async judge(attempt, { judge, signal }) {
      const { subject, events } = attempt;
      if (subject.kind === 'question')
        return skipped('It judges browser tasks by screenshots, and a question has none.');
      // A picture that came back is scored once, where it was seen last.
      const keys = [...new Set(pictureKeys(events).toReversed())].toReversed();
      if (keys.length === 0) return skipped('The attempt has no screenshots to judge by.');
      const { goal } = subject.task;
      const keyPoints = parseKeyPoints(await judge.ask(keyPointsRequest(goal), signal));
      if (!keyPoints) return noVerdict('key points');
      const scored = await inParallel(keys.slice(-maxScored), AT_ONCE, async (key) => {
        const picture = await loadPicture(attempt, key);
        const said = parseWebjudgeScore(await judge.ask(scoreRequest({ goal, keyPoints }, picture), signal));
        return { picture, score: said?.score ?? null, remark: said?.reasoning ?? '' };
      });
      // A score that can't be read is a fault of the judge: the picture is shown, so that it is not held against the agent.
      const kept = scored.filter(({ score }) => score === null || score >= threshold);
      const shown = kept.slice(-maxPictures);
      const details = {
        keyPoints,
        scores: scored.map(({ picture, score }) => ({ picture: picture.key, score })),
        shown: shown.map(({ picture }) => picture.key),
        caps: {
          pictures: keys.length,
          scored: scored.length,
          kept: kept.length,
          shown: shown.length,
          maxScored,
          maxPictures,
        },
      };
      const request = verdictRequest({ goal, keyPoints }, actionHistory(events), shown);
      const said = parseWebjudgeVerdict(await judge.ask(request, signal));
      if (!said) return noVerdict('verdict', details);
      return { verdict: said.verdict, reasoning: reasonsOf(said.thoughts), details };
    },
  });
}
