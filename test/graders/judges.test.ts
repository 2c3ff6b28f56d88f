/** Each judging grader on attempts that pass, fail or can't be judged, and with models that fail in every way: over the real protocol of a test model. */
import { afterAll, describe, expect, test } from 'vitest';
import type { GraderSpec } from '../../src/cases/schemas.ts';
import { type AttemptReader, gradeAttempt, type JudgeLimits, makeGrader } from '../../src/graders/index.ts';
import { startTestModel } from '../../src/test-model/index.ts';
import { startModelServer } from '../support/model-server.ts';
import { setUpJudge } from './judge-setup.ts';
import { JPEG, questionAttempt, taskAttempt } from './judged-attempt.ts';

const model = await startTestModel();
const scripted = await startModelServer();
afterAll(() => Promise.all([model[Symbol.asyncDispose](), scripted[Symbol.asyncDispose]()]));

const JUDGES = ['webvoyager', 'webjudge', 'rubric', 'performance'] as const;
type Name = (typeof JUDGES)[number];

interface Asking {
  /** Of the test model, or of the scripted server where `replies` are given. */
  readonly model?: string;
  readonly replies?: readonly string[];
  readonly limits?: Partial<JudgeLimits>;
  readonly timeoutMs?: number;
  /** Settings of the grader. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

async function graded(name: Name, attempt: AttemptReader, asking: Asking = {}) {
  const { model: id = 'test:careful', replies, limits = {}, timeoutMs, spec } = asking;
  const baseUrl = replies ? scripted.baseUrl : model.baseUrls['openai-compatible'];
  if (replies) {
    scripted.reset();
    scripted.script(
      id,
      replies.map((text) => ({ text })),
    );
  }
  const { judge, kept, keep } = await setUpJudge(
    { kind: 'openai-compatible', model: id, baseUrl },
    { limits, calls: { attempts: 2 } },
  );
  const made = await makeGrader({ grader: name, ...spec } as GraderSpec, { folder: '.' });
  const grader = timeoutMs === undefined ? made : { ...made, timeoutMs };
  const grade = await gradeAttempt(grader, attempt, { signal: new AbortController().signal, judge, keep });
  return { ...grade, calls: judge.cost.calls, kept };
}

describe.each(JUDGES)('%s', (name) => {
  /** Key points, three pictures and the verdict; criteria and scores; or one question. */
  const calls = { webvoyager: 1, webjudge: 5, rubric: 2, performance: 1 }[name];

  test('passes what is done, and keeps each request with its reply', async () => {
    const grade = await graded(name, taskAttempt());
    expect(grade).toMatchObject({ grader: name, version: '1', verdict: 'pass', calls });
    expect([...grade.kept.keys()].filter((file) => file.startsWith('judge-'))).toHaveLength(calls);
  });

  test('fails what is not done', async () => {
    const undone = taskAttempt({ typed: 'bye', answer: 'I wrote bye.', verdict: 'fail' });
    expect(await graded(name, undone)).toMatchObject({ verdict: 'fail', calls });
  });

  test('is skipped where a fault of others ended the attempt', async () => {
    const broken = taskAttempt({
      answer: null,
      stop: { status: 'tool_error', cause: 'browser', reason: 'It crashed.' },
    });
    expect(await graded(name, broken)).toMatchObject({
      verdict: 'skipped',
      score: null,
      reasoning: "The attempt ended by a fault that was not the agent's (env_error): It crashed.",
      calls: 0,
    });
    const stopped = taskAttempt({ stop: { interrupted: true } });
    expect(await graded(name, stopped)).toMatchObject({ verdict: 'skipped', calls: 0 });
  });

  test('is skipped without a model', async () => {
    const grader = await makeGrader({ grader: name }, { folder: '.' });
    const context = { signal: new AbortController().signal, judge: undefined, keep: () => {} };
    expect(await gradeAttempt(grader, taskAttempt(), context)).toMatchObject({
      verdict: 'skipped',
      reasoning: 'It needs a model, and none was chosen: --judge-model names one.',
    });
  });

  test.each([
    ['status 500', 'test:fault-500', 'The judge could not be asked: '],
    ['a page of a proxy', 'test:fault-html', 'The judge could not be asked: '],
    ['a refused key', 'test:fault-refused-key', 'The judge could not be asked: '],
    ['a cut connection', 'test:fault-cut-middle', 'The judge could not be asked: '],
    ['a reply of 6 MB', 'test:fault-too-large', 'The judge could not be asked: '],
    ['an empty reply', 'test:fault-empty', "The judge's reply holds no "],
    ['a withheld reply', 'test:fault-refusal', ''],
  ])('is an error, and no failure of the agent, where the model gives %s', async (_, id, reason) => {
    const grade = await graded(name, taskAttempt(), { model: id });
    expect(grade).toMatchObject({ verdict: 'error', score: null });
    expect(grade.reasoning).toContain(reason);
  });

  test('is an error where the model never replies', async () => {
    const grade = await graded(name, taskAttempt(), { model: 'test:fault-timeout', timeoutMs: 300 });
    expect(grade).toMatchObject({ verdict: 'error', reasoning: 'The grader gave no verdict within 300 ms.' });
  });

  test.each([
    'It went well!',
    '{}',
    '[1]',
    '{"verdict": "SUCCESS", "status": "success"',
    'I would say {"thoughts": "x", "status": "success", "verdict": "SUCCESS"}',
  ])('is an error where the model says %j', async (reply) => {
    const grade = await graded(name, taskAttempt(), { model: 'garbage', replies: [reply] });
    expect(grade).toMatchObject({ verdict: 'error', score: null });
  });

  test('is an error where it would make too many calls', async () => {
    expect(await graded(name, taskAttempt(), { limits: { maxCallsPerGrade: calls - 1 } })).toMatchObject({
      verdict: 'error',
      reasoning: `The grader failed: The ${calls - 1} calls that one grade may make are used up.`,
      calls: calls - 1,
    });
    expect(await graded(name, taskAttempt(), { limits: { maxUsd: 0 } })).toMatchObject({
      verdict: 'error',
      reasoning: 'The grader failed: The 0 US dollars that grading may cost are used up (0.0000 were used).',
      calls: 0,
    });
  });
});

test.each(['webvoyager', 'webjudge', 'rubric'] as const)(
  '%s is an error where a picture is gone or too large, and is not judged by the others',
  async (name) => {
    const gone = taskAttempt({ artifact: async (key) => (key === 'screenshots/002.jpg' ? undefined : JPEG) });
    expect(await graded(name, gone)).toMatchObject({
      verdict: 'error',
      reasoning: 'The grader failed: The picture screenshots/002.jpg of the attempt is not there any more.',
    });
    const large = Uint8Array.from(JPEG);
    large[9] = 15;
    const wide = taskAttempt({ artifact: async () => large });
    expect(await graded(name, wide)).toMatchObject({
      verdict: 'error',
      reasoning: expect.stringContaining('has 3840 × 720 pixels, and a judge is shown at most 2000 × 2000.'),
    });
  },
);

describe('webvoyager', () => {
  test('fails an agent that gave no answer, without asking', async () => {
    expect(await graded('webvoyager', taskAttempt({ answer: null }))).toMatchObject({
      verdict: 'fail',
      reasoning: 'The agent gave no answer.',
      calls: 0,
    });
  });

  test('is skipped where the contract ended the attempt before the agent could answer', async () => {
    const early = taskAttempt({ answer: null, stop: { status: 'passed', claimed: undefined } });
    expect(await graded('webvoyager', early)).toMatchObject({
      verdict: 'skipped',
      reasoning: expect.stringContaining('--until-done'),
      calls: 0,
    });
  });

  test('shows the last pictures, the oldest first', async () => {
    const { details } = await graded('webvoyager', taskAttempt({ pictures: 5 }), { spec: { pictures: 2 } });
    expect(details).toEqual({ pictures: ['screenshots/004.jpg', 'screenshots/005.jpg'] });
    expect(model.requests.at(-1)?.conversation?.messages.at(-1)?.images).toHaveLength(2);
  });

  test.each(['webvoyager', 'webjudge'] as const)('%s is skipped for questions and without pictures', async (name) => {
    expect(await graded(name, questionAttempt('Scattering of light.'))).toMatchObject({
      verdict: 'skipped',
      reasoning: 'It judges browser tasks by screenshots, and a question has none.',
      calls: 0,
    });
    expect(await graded(name, taskAttempt({ pictures: 0 }))).toMatchObject({
      verdict: 'skipped',
      reasoning: 'The attempt has no screenshots to judge by.',
      calls: 0,
    });
  });
});

describe('webjudge', () => {
  const points = '{"key_points": ["Write hello", "Send it"]}';
  const score = (value: number) => `Reasoning: A form.\nScore: ${value}`;

  test('shows the pictures that matter with their remarks, and what it did, in its last question', async () => {
    const verdict = 'Thoughts: It is sent.\nStatus: success';
    const replies = [points, score(1), score(4), score(3), verdict];
    // Pictures are scored at once: which one gets which score is open, and how many are kept is not.
    const grade = await graded('webjudge', taskAttempt({ pictures: 3 }), { model: 'in-order', replies });
    expect(grade).toMatchObject({ verdict: 'pass', reasoning: 'It is sent.', calls: 5 });
    expect(grade.details).toMatchObject({
      keyPoints: ['Write hello', 'Send it'],
      caps: { pictures: 3, scored: 3, kept: 2, shown: 2, maxScored: 50, maxPictures: 50 },
    });
    const last = scripted.calls.at(-1);
    expect(last?.messages.at(-1)?.images).toHaveLength(2);
    expect(last?.prompt).toContain(String.raw`1. type {\"selector\":\"#word\",\"text\":\"hello\"}`);
    expect(last?.prompt).toContain('"A form."');
    expect(last?.prompt).not.toContain('I wrote');
  });

  test('keeps no text of the judge that a database refuses', async () => {
    const replies = [JSON.stringify({ key_points: ['a\0b'] }), score(3), 'Thoughts: x\0y.\nStatus: failure'];
    const grade = await graded('webjudge', taskAttempt({ pictures: 1 }), { model: 'nul', replies });
    expect(grade).toMatchObject({ verdict: 'fail', reasoning: 'x\uFFFDy.', details: { keyPoints: ['a\uFFFDb'] } });
    expect([...grade.kept.values()].join('')).not.toContain('\0');
  });

  test('caps what is scored and what is shown, and says so', async () => {
    const spec = { maxScored: 4, maxPictures: 2 };
    const { details, calls } = await graded('webjudge', taskAttempt({ pictures: 9 }), { spec });
    expect(calls).toBe(6);
    expect(details).toMatchObject({
      shown: ['screenshots/008.jpg', 'screenshots/009.jpg'],
      caps: { pictures: 9, scored: 4, kept: 4, shown: 2, maxScored: 4, maxPictures: 2 },
    });
  });

  test('shows a picture whose score could not be read, and judges without pictures where none matters', async () => {
    const failure = 'Status: failure';
    const unread = await graded('webjudge', taskAttempt({ pictures: 1 }), {
      model: 'unread',
      replies: [points, 'A nice picture.', failure],
    });
    expect(unread).toMatchObject({
      verdict: 'fail',
      details: { scores: [{ picture: 'screenshots/001.jpg', score: null }], shown: ['screenshots/001.jpg'] },
    });
    const none = await graded('webjudge', taskAttempt({ pictures: 1 }), {
      model: 'none',
      replies: [points, score(2), failure],
    });
    expect(none).toMatchObject({ verdict: 'fail', details: { shown: [] } });
    expect(scripted.calls.at(-1)?.prompt).toContain('No screenshot shows anything about the task.');
  });
});

describe('rubric', () => {
  const criteria = [
    { id: 'looked', description: 'Looked first.', about: 'process', weight: 1 },
    { id: 'sent', description: 'Sent "hello".', about: 'outcome', weight: 4, required: true },
  ] as const;
  const scores = (...given: [string, number, boolean][]) =>
    JSON.stringify({
      scores: given.map(([id, score, outside_control]) => ({ id, score, reason: 'So.', outside_control })),
    });

  test('uses the criteria of the case, with process and outcome apart', async () => {
    const grade = await graded('rubric', taskAttempt(), {
      spec: { criteria: [...criteria] },
      model: 'scores',
      replies: [scores(['sent', 1, false], ['looked', 0, false])],
    });
    expect(grade).toMatchObject({
      verdict: 'pass',
      score: 0.8,
      calls: 1,
      details: { writtenBy: 'author', process: 0, outcome: 1, missing: [], outsideControl: [] },
    });
    expect(grade.kept.has('criteria.json')).toBe(false);
  });

  test('names apart what was outside of the agent’s control, and does not pass by it', async () => {
    const grade = await graded('rubric', taskAttempt(), {
      spec: { criteria: [...criteria] },
      model: 'outside',
      replies: [scores(['sent', 0, true], ['looked', 1, false])],
    });
    expect(grade).toMatchObject({
      verdict: 'fail',
      details: { process: 1, outcome: 0, outsideControl: ['sent'], passedOtherwise: true },
      reasoning:
        "The criteria are met to 20 %. Required and not met: sent. By the judge, outside of the agent's control: sent. sent: So.",
    });
  });

  test('keeps the criteria that the judge wrote', async () => {
    const grade = await graded('rubric', taskAttempt());
    expect(grade.details).toMatchObject({ writtenBy: 'judge', criteria: [{ id: 'done', required: true }] });
    expect(JSON.parse(grade.kept.get('criteria.json') ?? '')).toEqual(grade.details['criteria']);
  });

  test('grades answers to questions, by what a right one needs', async () => {
    expect(await graded('rubric', questionAttempt('Because of the scattering of light.'))).toMatchObject({
      verdict: 'pass',
    });
    expect(await graded('rubric', questionAttempt('Because of the sea.'))).toMatchObject({ verdict: 'fail' });
    expect(await graded('rubric', questionAttempt(null))).toMatchObject({ verdict: 'skipped', calls: 0 });
  });
});

describe('performance', () => {
  test('asks only for what can’t be computed', async () => {
    const { details, score, reasoning } = await graded('performance', taskAttempt());
    expect(details).toMatchObject({
      axes: { completion: 100, reasoning: 100, efficiency: 100, recovery: 100, autonomy: 100 },
      asked: { reasoning: { value: 100 } },
    });
    expect(Object.keys(details['asked'] as object)).toEqual(['reasoning']);
    expect(score).toBeGreaterThan(0.9);
    expect(reasoning).toMatch(/^[\d.]+ of 100, and 75 are needed\. completion 100: The success contract holds\. /);
    const open = await graded('performance', taskAttempt({ verdict: 'inconclusive' }));
    expect(Object.keys(open.details['asked'] as object)).toEqual(['completion', 'reasoning']);
  });

  test('passes at 75, or where the case says', async () => {
    const undone = taskAttempt({ verdict: 'fail' });
    const { details } = await graded('performance', undone);
    expect(details).toMatchObject({ total: expect.closeTo(69.3, 0), passAt: 75 });
    expect(await graded('performance', undone, { spec: { passAt: 60 } })).toMatchObject({ verdict: 'pass' });
  });

  test('is skipped for questions', async () => {
    expect(await graded('performance', questionAttempt('Scattering.'))).toMatchObject({ verdict: 'skipped', calls: 0 });
  });
});
