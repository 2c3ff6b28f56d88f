/** Further graders over the answers of a stored run: asked for, refused, graded, listed, resumed. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { schema } from '../../src/store/index.ts';
import { ITEMS } from '../browser-harness/samples.ts';
import { gradeOf } from '../runs/attempts.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Api, idOf, importZip, newDataset, newPack, openApi, zipOf } from './api.ts';
import { logOf, until } from './launched.ts';

/** `mcq-1` is wrong; `free-2` was not answered. */
const ANSWERS: Readonly<Record<string, string>> = {
  'free-1': 'Zanzibar-canary-1',
  'mcq-1': 'The answer is A.',
  'mcq-2': 'A and C',
  'num-1': '271828.1828',
  'regex-1': 'canary-7-3',
  'judge-1': 'Air scatters blue light.',
  'open-1': 'Something.',
};
const CRITERIA = [{ id: 'right', description: 'It is right.', about: 'outcome', weight: 1, required: true }];
const RUBRIC = { grader: 'rubric', criteria: CRITERIA };

const gradesSchema = z.object({
  grades: z.array(
    z.looseObject({
      id: z.int(),
      item_id: z.string(),
      grader: z.string(),
      round: z.int(),
      verdict: z.string(),
      reasoning: z.string(),
      artifacts: z.array(z.string()),
      cost: z.looseObject({ calls: z.int() }).nullable(),
    }),
  ),
});

describe.each(engines)('further graders on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let models: ModelServer;
  let api: Api;
  let judge: { provider_id: string; model: string };
  let run: string;
  beforeAll(async () => {
    [engine, models] = await Promise.all([prepare(), startModelServer()]);
    models.answer('grader', ({ first }) => scores(first.includes('Zanzibar') ? 0 : 1));
    await start();
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await engine?.close();
    await models?.[Symbol.asyncDispose]();
  });

  async function start(): Promise<void> {
    api = await openApi(engine);
    await api.work();
  }

  const scores = (score: number) => ({
    text: JSON.stringify({ scores: [{ id: 'right', score, reason: 'By a look.', outside_control: false }] }),
  });

  /** A captured run, scored by checkers and its judge. */
  async function scoredRun(): Promise<void> {
    const made = { name: 'Judge', kind: 'openai-compatible', base_url: models.baseUrl };
    const provider_id = idOf(await api.call('POST', '/providers', made));
    judge = { provider_id, model: 'grader' };
    const own = { provider_id, model: 'judge-scattering', prompt: '' };
    const pack = await newPack(api, await newDataset(api, ITEMS), { judge: own });
    const imported = await importZip(api, zipOf(pack, { judge: own, answer: (id) => ANSWERS[id] }));
    run = String(imported.body['run_id']);
    await until(api, run, { scoring_status: 'done' });
    models.reset();
  }

  const ask = (body: unknown) => api.call('POST', `/runs/${run}/grades`, body);

  async function ended(id: unknown, status = 'done') {
    const url = `/runs/${run}/gradings/${id}`;
    await expect.poll(async () => (await api.call('GET', url)).body['status']).toBe(status);
    return (await api.call('GET', url)).body;
  }

  async function gradesOf(query = ''): Promise<z.infer<typeof gradesSchema>['grades']> {
    return gradesSchema.parse((await api.call('GET', `/runs/${run}/grades?limit=500${query}`)).body).grades;
  }

  test('a rubric grades every answer beside the verdicts that decide; counts, cost, agreement and files are there', async () => {
    await scoredRun();
    const before = (await api.call('GET', `/runs/${run}`)).body;
    expect(before).toMatchObject({ summary: { scored: 6, passed: 5, graders: [] } });
    const asked = await ask({ graders: [RUBRIC, { grader: 'answer' }], judge });
    expect(asked).toMatchObject({ status: 202, body: { status: 'queued', counts: { pass: 0, calls: 0 } } });
    // One of seven attempts fails by the rubric, and one by its checker; two have no checker that can tell.
    expect(await ended(asked.body['id'])).toMatchObject({
      reason: null,
      counts: { pass: 10, fail: 2, error: 0, skipped: 2, calls: 7, cost_usd: 0 },
    });
    expect(models.count('grader')).toBe(7);

    const rubric = await gradesOf('&grader=rubric');
    expect(rubric.map(({ item_id, verdict }) => `${item_id} ${verdict}`)).toEqual(
      expect.arrayContaining(['free-1 fail', 'mcq-1 pass', 'open-1 pass']),
    );
    expect(rubric).toHaveLength(7);
    expect(rubric.find(({ item_id }) => item_id === 'free-1')).toMatchObject({
      round: 1,
      score: 0,
      reasoning: expect.stringContaining('right: By a look.'),
      model: 'openai-compatible:grader',
      version: '1',
      cost: { calls: 1, cost_usd: null },
      decides: false,
      deciding: { grader: 'exact', verdict: 'pass' },
    });
    expect((await gradesOf('&differs=true')).map(({ item_id, grader }) => `${item_id} ${grader}`).sort()).toEqual([
      'free-1 rubric',
      'mcq-1 rubric',
    ]);
    expect((await gradesOf('&item=free-1')).map(({ grader, decides }) => [grader, decides])).toEqual([
      ['exact', true],
      ['rubric', false],
      ['answer', false],
    ]);
    const [first, second] = await gradesOf();
    expect((await gradesOf(`&after=${first?.id}`))[0]).toEqual(second);

    const after = (await api.call('GET', `/runs/${run}`)).body;
    expect(after).toMatchObject({
      ...before,
      summary: { ...(before['summary'] as object), graders: expect.any(Array) },
    });
    const { summary } = z.object({ summary: z.object({ graders: z.array(z.looseObject({})) }) }).parse(after);
    expect(summary.graders.find(({ grader }) => grader === 'rubric')).toMatchObject({
      verdicts: { pass: 6, fail: 1, error: 0, skipped: 0 },
      passRate: { count: 6, of: 7 },
      models: ['openai-compatible:grader'],
      cost: { calls: 7, unknownUsd: 7 },
      agreement: {
        compared: 6,
        table: { bothPass: 4, onlyJudge: 1, onlyReference: 1, neither: 0 },
        notCompared: { noReference: 1 },
        kappa: { value: expect.any(Number) },
      },
    });

    const files = rubric[0]?.artifacts ?? [];
    expect(files).toEqual(['graders/rubric/1/judge-001.json']);
    const file = await api.call('GET', `/runs/${run}/grades/${rubric[0]?.id}/artifacts/0`);
    expect(file).toMatchObject({ status: 200, type: 'text/plain; charset=UTF-8' });
    expect(JSON.parse(file.text)).toMatchObject({ model: 'openai-compatible:grader', reply: { finishReason: 'stop' } });
    expect((await api.call('GET', `/runs/${run}/grades/${rubric[0]?.id}/artifacts/1`)).status).toBe(404);
    expect((await api.call('GET', `/runs/${run}/grades/999999/artifacts/0`)).status).toBe(404);
    const codes = (await logOf(api, run)).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['grading_queued', 'grading_started', 'grading_done']));

    // Again: what asks no model says the same and adds nothing; the judge is asked again, in the next round.
    const again = await ended(
      (await ask({ graders: [RUBRIC, { grader: 'answer' }], judge, only: 'failed' })).body['id'],
    );
    expect(again).toMatchObject({ counts: { pass: 1, fail: 0, skipped: 0, calls: 1 } });
    expect((await gradesOf('&grader=rubric&item=mcq-1')).map(({ round }) => round)).toEqual([1, 2]);
    expect(await gradesOf('&grader=answer')).toHaveLength(7);
    expect((await api.call('GET', `/runs/${run}/gradings`)).body).toMatchObject({
      gradings: [{ id: asked.body['id'] }, { id: again['id'] }],
    });
  });

  test('caps on calls hold: what is left then is an error of grading', async () => {
    await scoredRun();
    const { body } = await ask({ graders: [RUBRIC], judge, max_calls: 3 });
    expect(await ended(body['id'])).toMatchObject({ counts: { error: 4, calls: 3 } });
    expect(models.count('grader')).toBe(3);
    const [error] = await gradesOf('&grader=rubric&verdict=error');
    expect(error?.reasoning).toContain('The 3 calls that grading may make are used up.');
    // The rest is asked for what has no verdict yet.
    const rest = await ask({ graders: [RUBRIC], judge, only: 'ungraded' });
    expect(await ended(rest.body['id'])).toMatchObject({ counts: { error: 0, calls: 4 } });
  });

  test('what a server does not run or can not use is refused with a sentence, and nothing is queued', async () => {
    await scoredRun();
    const before = await api.rows();
    const cases: [unknown, number, string, string][] = [
      [
        { graders: [{ grader: 'command', command: ['rm', '-rf', '/'] }] },
        422,
        'grader_refused',
        'The grader command runs a program, and a server runs none for those who ask it.',
      ],
      [
        { graders: [{ grader: 'module', file: '/etc/passwd' }] },
        422,
        'grader_refused',
        'The grader module runs a program, and a server runs none for those who ask it.',
      ],
      [
        { graders: [{ grader: 'webjudge' }], judge },
        422,
        'grader_refused',
        'The grader webjudge grades browser tasks, and the runs of a server have questions.',
      ],
      [
        { graders: [{ ...RUBRIC, name: 'judge' }], judge },
        422,
        'grader_refused',
        'An entry of graders has the name "judge", under which a question\'s own checker or judge is kept; choose another "name".',
      ],
      [
        { graders: [RUBRIC, RUBRIC], judge },
        422,
        'grader_refused',
        'An entry of graders is a second grader with the name "rubric"; give one of them another "name".',
      ],
      [{ graders: [RUBRIC] }, 422, 'judge_required', "rubric can't grade without a model, and no judge is chosen."],
      [
        { graders: [RUBRIC], judge: { provider_id: 'nobody', model: 'm' } },
        422,
        'judge_provider_invalid',
        'There is no API provider nobody.',
      ],
      [{ graders: [RUBRIC], judge: { ...judge, model: ' ' } }, 422, 'judge_model_missing', 'The judge has no model.'],
      [
        { graders: [RUBRIC], judge, max_cost_usd: 1 },
        422,
        'usage_bad_value',
        "The price of openai-compatible:grader is not known, so that a cap on the cost of judging can't be enforced. Nothing was graded.",
      ],
      [
        { graders: [RUBRIC], judge, votes: 2 },
        422,
        'usage_bad_value',
        'The number of votes must be odd, and 2 is not.',
      ],
    ];
    for (const [body, status, code, detail] of cases)
      expect(await ask(body), code).toMatchObject({ status, body: { code, detail } });
    for (const body of [{}, { graders: [] }, { graders: [{ grader: 'vibes' }] }, { graders: [RUBRIC], judge, more: 1 }])
      expect(await ask(body)).toMatchObject({ status: 400, body: { code: 'request_invalid' } });
    expect(await api.call('POST', '/runs/x/grades', { graders: [RUBRIC], judge })).toMatchObject({ status: 404 });
    expect(await api.call('GET', '/runs/x/grades')).toMatchObject({ status: 404 });
    expect(await api.call('GET', `/runs/${run}/gradings/x`)).toMatchObject({ status: 404 });
    expect(await api.rows()).toEqual(before);
  });

  test('one grading at a time; a key that is missing when it begins ends it as failed, with the reason', async () => {
    await scoredRun();
    models.answer('slow', () => ({ hang: true }));
    const first = await ask({ graders: [RUBRIC], judge: { ...judge, model: 'slow' } });
    expect(first.status).toBe(202);
    expect(await ask({ graders: [{ grader: 'answer' }] })).toMatchObject({
      status: 409,
      body: { code: 'grading_under_way' },
    });
    // A worker that has not begun yet would write over what is set here.
    await ended(first.body['id'], 'running');
    await api.store.db.update(schema.furtherGrading).set({ status: 'done' });
    await api.store.db
      .update(schema.provider)
      .set({ keyEnv: 'WAYMARK_KEY_NONE' })
      .where(eq(schema.provider.id, judge.provider_id));
    expect(await ask({ graders: [RUBRIC], judge })).toMatchObject({
      status: 422,
      body: { detail: "The judge can't be asked: The environment variable WAYMARK_KEY_NONE is not set." },
    });
    const [row] = await api.store.db
      .insert(schema.furtherGrading)
      .values({ runId: run, request: { graders: [RUBRIC], judge: { ...judge, model: 'other' } } })
      .returning();
    await api.store.db.transaction((tx) => api.queue.enqueue(tx, 'runs.grade', { grading_id: row?.id }));
    expect(await ended(row?.id, 'failed')).toMatchObject({
      reason: "The judge can't be asked: The environment variable WAYMARK_KEY_NONE is not set.",
    });
  });

  test('a killed worker’s grading goes on: no judge is asked again about what was graded, and the caps count what was used', async () => {
    await scoredRun();
    const [row] = await api.store.db
      .insert(schema.furtherGrading)
      .values({
        runId: run,
        request: { graders: [RUBRIC], judge, max_calls: 6 },
        status: 'running',
        startedAt: new Date(Date.now() - 60_000),
      })
      .returning();
    const runs = new DatabaseRunStore({ store: api.store, artifacts: api.context.artifacts });
    const given = gradeOf('rubric', 1, { at: Date.now() - 30_000, cost: { calls: 1 } });
    for (const caseId of ['free-1', 'mcq-1'])
      await runs.appendGrades({ runId: run, caseId, trial: 1, attempt: 1 }, [given]);
    // No job knows of it, as after a restore: the next start finds it.
    await api.store.db.execute(sql`delete from pgboss.job where name = 'runs.grade'`);
    await api[Symbol.asyncDispose]();
    await api.store.close();
    await start();
    expect(await ended(row?.id)).toMatchObject({ counts: { pass: 6, error: 1, calls: 6 } });
    expect(models.count('grader')).toBe(4);
    const codes = (await logOf(api, run)).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['grading_resumed', 'grading_done']));
  });
});
