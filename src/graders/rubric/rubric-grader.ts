/** Specific criteria with weights, each scored by a judge: given with the case, or written by the judge from the case. */
import { nameOfSpec, type RubricSpec } from '../../cases/schemas.ts';
import type { Assessment, AttemptReader, GradedCase, Grader } from '../grader.ts';
import { actionHistory } from '../judge/action-history.ts';
import { loadPicture, pictureKeys } from '../judge/attempt-pictures.ts';
import { judgingGrader, noVerdict } from '../judge/judging-grader.ts';
import { encode } from '../judge/untrusted.ts';
import { parseCriteria, parseScores } from './parse-rubric.ts';
import { criteriaRequest, type RubricTask, type RubricWork, scoresRequest } from './rubric-prompts.ts';
import { type CriterionScore, type RubricScore, rubricScore } from './rubric-score.ts';

const PASS_AT = 0.8;
const PICTURES = 20;

export function rubricGrader(spec: RubricSpec): Grader {
  return judgingGrader({
    name: nameOfSpec(spec),
    version: '1',
    timeoutMs: 300_000,
    async judge(attempt, { judge, signal, keep }) {
      const task = taskOf(attempt.subject);
      const criteria = spec.criteria ?? parseCriteria(await judge.ask(criteriaRequest(task), signal));
      if (!criteria) return noVerdict('criteria that can be used');
      const writtenBy = spec.criteria ? 'author' : 'judge';
      if (writtenBy === 'judge') keep('criteria.json', `${JSON.stringify(criteria, null, 1)}\n`);
      const work = await workOf(attempt, spec.pictures ?? PICTURES);
      const scores = parseScores(await judge.ask(scoresRequest(task, criteria, work), signal), criteria);
      const details = { writtenBy, criteria, pictures: work.pictures.map(({ key }) => key) };
      if (!scores) return noVerdict('score for each criterion', details);
      const result = rubricScore(criteria, scores, spec.passAt ?? PASS_AT);
      return assessmentOf(result, scores, details);
    },
  });
}

function taskOf(subject: GradedCase): RubricTask {
  if (subject.kind === 'task')
    return {
      lines: [`Task in a web browser: ${encode(subject.task.goal)}`, `Start page: ${encode(subject.task.startUrl)}`],
    };
  const { prompt_text, criteria, answer, choices } = subject.item;
  return {
    lines: [
      `Question: ${encode(prompt_text)}`,
      ...(choices === undefined ? [] : [`Options: ${encode(choices)}`]),
      ...(criteria === undefined ? [] : [`What a right answer needs: ${encode(criteria)}`]),
      ...(answer === undefined || answer === null ? [] : [`Reference answer: ${encode(answer)}`]),
    ],
  };
}

async function workOf(attempt: AttemptReader, count: number): Promise<RubricWork> {
  const keys = count === 0 ? [] : pictureKeys(attempt.events).slice(-count);
  return {
    answer: attempt.answer,
    actions: actionHistory(attempt.events),
    pictures: await Promise.all(keys.map((key) => loadPicture(attempt, key))),
  };
}

function assessmentOf(result: RubricScore, scores: ReadonlyMap<string, CriterionScore>, details: object): Assessment {
  const { passed, score, missing, outsideControl, ...parts } = result;
  const notes = [
    `The criteria are met to ${Math.round(score * 100)} %.`,
    missing.length > 0 && `Required and not met: ${missing.join(', ')}.`,
    outsideControl.length > 0 && `By the judge, outside of the agent's control: ${outsideControl.join(', ')}.`,
    ...[...scores.values()].filter((given) => given.score < 1).map(({ id, reason }) => `${id}: ${reason}`),
  ];
  return {
    verdict: passed ? 'pass' : 'fail',
    score,
    reasoning: notes.filter((note) => note !== false).join(' '),
    details: { ...details, ...parts, missing, outsideControl, scores: [...scores.values()] },
  };
}
