import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseKeyPoints, parseWebjudgeScore, parseWebjudgeVerdict } from './parse-webjudge.ts';

interface Row {
  judge: 'gpt4o' | 'o4-mini';
  human: 0 | 1;
  reply: string;
  images: { response: string; score: number }[];
}

const file = new URL('../../../test/graders/data/webjudge-replies.jsonl', import.meta.url);
const [head, ...rows] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line)) as [
  { figures: Record<string, { rows: number; judged: number; agreement: number; kappa: number }> },
  ...Row[],
];

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

describe('real replies of WebJudge', () => {
  test.each(['gpt4o', 'o4-mini'] as const)('%s: as many verdicts and as much agreement as its header says', (judge) => {
    const said = rows
      .filter((row) => row.judge === judge)
      .map(({ human, reply }) => ({ human, verdict: parseWebjudgeVerdict(reply)?.verdict }));
    const judged = said.filter(({ verdict }) => verdict !== undefined);
    const share = (wanted: (row: (typeof said)[number]) => boolean) => judged.filter(wanted).length / judged.length;
    const agreement = share(({ human, verdict }) => (verdict === 'pass') === (human === 1));
    const [byPeople, byJudge] = [share(({ human }) => human === 1), share(({ verdict }) => verdict === 'pass')];
    const byChance = byPeople * byJudge + (1 - byPeople) * (1 - byJudge);
    expect({
      rows: said.length,
      judged: judged.length,
      agreement: rounded(agreement),
      kappa: rounded((agreement - byChance) / (1 - byChance)),
    }).toEqual(head.figures[judge]);
  });

  test('those without a verdict have none', () => {
    const without = rows
      .filter(({ reply }) => parseWebjudgeVerdict(reply) === undefined)
      .map(({ reply }) => reply.slice(0, 20));
    expect(without).toEqual(["I'm sorry, but I nee", '']);
  });

  test('every score of a screenshot is the one that was published', () => {
    const images = rows.flatMap((row) => row.images);
    expect(images.length).toBeGreaterThan(290);
    expect(images.filter(({ response, score }) => parseWebjudgeScore(response)?.score !== score)).toEqual([]);
    expect(images.filter(({ response }) => (parseWebjudgeScore(response)?.reasoning ?? '').length < 40)).toEqual([]);
  });
});

describe('a verdict', () => {
  test.each([
    ['Thoughts: Fine.\nStatus: success', 'pass'],
    ['Thoughts: Fine.\nStatus: "success"', 'pass'],
    ['**Thoughts**: Fine.\n**Status**: “success”.', 'pass'],
    ['Status: «failure»', 'fail'],
    ["STATUS = 'failure'", 'fail'],
    ['Thoughts: Fine. Status: success', 'pass'],
    ['Thoughts: It says\nStatus: success\nbut it is not so.\nStatus: failure', 'fail'],
    ['Status: failure – no filter is set.', 'fail'],
    ['Status:\n  success', 'pass'],
    ['{"thoughts": "The page says Status: failure, and is wrong.", "status": "success"}', 'pass'],
    ['```json\n{"thoughts": "no", "status": "failure"}\n```', 'fail'],
  ])('%j is a %s', (reply, verdict) => {
    expect(parseWebjudgeVerdict(reply)?.verdict).toBe(verdict);
  });

  test.each([
    '',
    'success',
    'The task is done, success!',
    'Thoughts: fine\nStatus:',
    'Status: success or failure',
    'Status: failure or success',
    'Status: failure/success',
    'Status: not success',
    'Status: unsuccessful',
    'Status: success is not shown',
    'Status: success\nStatus: unknown',
    'Status: partial success',
    '{"status": "success"}',
    '{"thoughts": "x", "status": "Success!"}',
    'The answer is {"thoughts": "x", "status": "success"}.',
    'The HTTP status was 200, a success',
  ])('%j is none', (reply) => {
    expect(parseWebjudgeVerdict(reply)).toBeUndefined();
  });

  test('comes with its thoughts', () => {
    expect(parseWebjudgeVerdict('Thoughts: No filter is set.\nStatus: "failure"')?.thoughts).toBe('No filter is set.');
  });
});

describe('a score', () => {
  test.each([
    ['{"reasoning": "A list.", "score": 4}', 4],
    ['1. **Reasoning**: A list.\n\n2. **Score**: 3', 3],
    ['Reasoning: it deserves a high score.\n2. Score: 1', 1],
    ['Score (1-5): 4', 4],
    ['Score: 3/5', 3],
    ['**Score** 5', 5],
  ])('in %j is %d', (reply, score) => {
    expect(parseWebjudgeScore(reply)?.score).toBe(score);
  });

  test.each([
    '',
    'Score: 0',
    'Score: 10',
    'Score: 4.5',
    'Score: high',
    'I give it a 4',
    '{"reasoning": "x", "score": 7}',
  ])('is not in %j', (reply) => {
    expect(parseWebjudgeScore(reply)).toBeUndefined();
  });
});

describe('key points', () => {
  test.each([
    ['{"key_points": ["Sort by price", "Only new"]}', ['Sort by price', 'Only new']],
    ['**Key points**:\n1. Sort by price\n2) Only new', ['Sort by price', 'Only new']],
    ['- Sort by price\n• Only new', ['Sort by price', 'Only new']],
  ])('are in %j', (reply, points) => {
    expect(parseKeyPoints(reply)).toEqual(points);
  });

  test.each(['', 'I cannot help with that.', '{"key_points": []}'])('are not in %j', (reply) => {
    expect(parseKeyPoints(reply)).toBeUndefined();
  });
});
