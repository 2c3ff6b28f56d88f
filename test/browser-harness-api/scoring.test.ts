import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { schema } from '../../src/store/index.ts';
import { ITEMS } from '../browser-harness/samples.ts';
import { gradeOf } from '../runs/attempts.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Answer, type Api, idOf, importZip, newDataset, newPack, openApi, zipOf } from './api.ts';

const RIGHT: Readonly<Record<string, string>> = {
  'free-1': 'Zanzibar-canary-1',
  'free-2': 'A quokka-canary-2, surely.',
  'mcq-1': 'The answer is A.',
  'mcq-2': 'A and C',
  'num-1': '271828.1828',
  'regex-1': 'canary-7-3',
  'judge-1': 'Air scatters blue light.',
  'open-1': 'Something.',
};

describe.each(engines)('scoring on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let api: Api;
  let models: ModelServer;
  let provider_id: string;
  let dataset: string;
  beforeAll(async () => {
    [engine, models] = await Promise.all([prepare(), startModelServer()]);
    api = await openApi(engine);
    await api.work();
    dataset = await newDataset(api, ITEMS);
    const made = { name: 'Judge', kind: 'openai-compatible', base_url: models.baseUrl };
    provider_id = idOf(await api.call('POST', '/providers', made));
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await engine?.close();
    await models?.[Symbol.asyncDispose]();
  });

  async function importJudgedBy(model: string, leaveOut?: string): Promise<string> {
    const judge = { provider_id, model, prompt: '' };
    const pack = await newPack(api, dataset, { judge });
    const answer = (id: string) => (id === leaveOut ? undefined : RIGHT[id]);
    const made = await importZip(api, zipOf(pack, { judge, answer }));
    expect(made.status).toBe(201);
    return String(made.body['run_id']);
  }

  async function scored(run: string, status: string): Promise<Answer> {
    await expect.poll(async () => (await api.call('GET', `/runs/${run}`)).body['scoring_status']).toBe(status);
    return await api.call('GET', `/runs/${run}`);
  }

  test('checkers and judge give every item its row; accuracy stands beside coverage; events tell it', async () => {
    const run = await importJudgedBy('judge-scattering', 'free-2');
    const { body } = await scored(run, 'done');
    expect(body).toMatchObject({
      scoring_reason: null,
      status: 'completed',
      accuracy: 5 / 6,
      coverage: 6 / 8,
      summary: { total: 8, scored: 6, passed: 5, verdicts: { pass: 5, fail: 1, error: 0, skipped: 2, unscored: 0 } },
    });
    const items = (await api.call('GET', `/runs/${run}/items`)).body;
    expect(items).toMatchObject({
      items: [
        { id: 'free-1', scores: [{ attempt: 1, method: 'exact', value: 1, verdict: 'pass', judge: null }] },
        { id: 'free-2', status: 'missing', response: null, scores: [{ method: 'none', verdict: 'skipped' }] },
        { id: 'mcq-1', scores: [{ method: 'choice', value: 0, verdict: 'fail' }] },
        { id: 'mcq-2', scores: [{ method: 'multi_choice', verdict: 'pass' }] },
        { id: 'num-1', scores: [{ method: 'numeric', verdict: 'pass' }] },
        { id: 'regex-1', scores: [{ method: 'regex', verdict: 'pass' }] },
        {
          id: 'judge-1',
          scores: [
            {
              method: 'judge',
              verdict: 'pass',
              judge: { provider_id, model: 'judge-scattering', reason: 'It names scattering.' },
            },
          ],
        },
        { id: 'open-1', scores: [{ method: 'none', verdict: 'skipped' }] },
      ],
    });
    const { logs } = (await api.call('GET', `/runs/${run}/logs`)).body as { logs: { seq: number; code: string }[] };
    const stream = await api.app.request(`/runs/${run}/events?limit=${logs.length - 1}`, {
      headers: { host: 'localhost', 'last-event-id': '1' },
    });
    const events = [...(await stream.text()).matchAll(/^event: (\w+)$/gm)].map(([, code]) => code);
    expect(events).toEqual(logs.slice(1).map(({ code }) => code));
    expect(events.at(-1)).toBe('scoring_done');
    const listed = await api.call('GET', `/runs?scoring_status=done&surface=browser&dataset_id=${dataset}`);
    expect(listed.body).toMatchObject({ runs: [{ id: run, capture_label: 'self-reported capture' }] });
    expect((await api.call('GET', '/runs?surface=api')).body).toEqual({ runs: [], total: 0 });
  });

  /** Events of all runs, each with its id. */
  async function runsEvents(query: string, headers: Record<string, string> = {}) {
    const stream = await api.app.request(`/runs/events?${query}`, { headers: { host: 'localhost', ...headers } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    return async () =>
      [...(await stream.text()).matchAll(/^event: (\w+)\ndata: (.*)\nid: (\d+)$/gm)].map(([, event, data, id]) => ({
        event,
        id: Number(id),
        ...(JSON.parse(String(data)) as { run_id?: string; status?: string; scoring_status?: string }),
      }));
  }

  test('a list of runs can be live: all runs tell when they are made and when their status changes, from now or again', async () => {
    const following = await runsEvents('limit=5');
    const run_id = await importJudgedBy('judge-1');
    const events = await following();
    const told = { run_id, status: 'completed' };
    expect(events).toMatchObject([
      { event: 'ready' },
      { event: 'run_created', ...told, scoring_status: 'none' },
      { event: 'run_changed', ...told, scoring_status: 'queued' },
      { event: 'run_changed', ...told, scoring_status: 'running' },
      { event: 'run_changed', ...told, scoring_status: 'done' },
    ]);
    const [ready, created, queued] = events.map(({ id }) => id);
    const again = await runsEvents('limit=2', { 'last-event-id': String(ready) });
    expect((await again()).map(({ id }) => id)).toEqual([created, queued]);
    // A number of another database: begin anew instead of waiting for it.
    const [first] = await (await runsEvents('limit=1', { 'last-event-id': '999999999' }))();
    expect(first).toMatchObject({ event: 'ready', id: events.at(-1)?.id });
  });

  test('a judge that always fails: partial, with the reason; a new attempt by another judge adds to it; runs compare', async () => {
    const run = await importJudgedBy('always-500');
    const { body } = await scored(run, 'partial');
    expect(body).toMatchObject({
      status: 'completed',
      scoring_reason: expect.stringMatching(/^1 items could not be scored\. The first: The judge could not be asked: /),
      summary: { scored: 6, verdicts: { error: 1 } },
    });
    const again = await api.call('POST', `/runs/${run}/rescore`, { judge: { provider_id, model: 'judge-0' } });
    expect(again).toMatchObject({ status: 202, body: { attempt: 2, scoring_status: 'queued' } });
    expect((await scored(run, 'done')).body).toMatchObject({ scoring_attempt: 2, summary: { scored: 7, passed: 5 } });
    const { items } = (await api.call('GET', `/runs/${run}/items`)).body as {
      items: { id: string; scores: object[] }[];
    };
    expect(items.find(({ id }) => id === 'judge-1')?.scores).toMatchObject([
      { attempt: 1, verdict: 'error', value: null },
      { attempt: 2, verdict: 'fail', value: 0 },
    ]);
    const other = await importJudgedBy('judge-1');
    await scored(other, 'done');
    const compared = await api.call('GET', `/runs/compare?a=${run}&b=${other}`);
    expect(compared).toMatchObject({
      status: 200,
      body: { counts: { both_pass: 5, both_fail: 1, only_a: 0, only_b: 1, unpaired: 1 }, statistics: { pairs: 7 } },
    });
  });

  test('grades of further graders change no headline, no count, no comparison and no later round', async () => {
    const [run, other] = [await importJudgedBy('judge-1'), await importJudgedBy('judge-0')];
    await scored(run, 'done');
    await scored(other, 'done');
    const urls = [`/runs/${run}`, `/runs/${run}/items`, `/runs/compare?a=${run}&b=${other}`];
    // What is said of all graders side by side is another thing.
    const seen = async () => {
      const [{ summary, ...detail }, ...rest] = (await Promise.all(
        urls.map(async (url) => (await api.call('GET', url)).body),
      )) as [{ summary: { graders: object[] } }, ...object[]];
      const { graders: _graders, ...headline } = summary;
      return [{ ...detail, summary: headline }, ...rest];
    };
    const before = await seen();
    const runs = new DatabaseRunStore({ store: api.store, artifacts: api.context.artifacts });
    for await (const { caseId, trial, attempts } of runs.cells(run)) {
      const attempt = attempts.at(-1)?.attempt ?? 0;
      const deciding = await runs.grades({ runId: run, caseId, trial, attempt });
      const isPass = deciding.some(({ verdict }) => verdict === 'pass');
      await runs.appendGrades(
        { runId: run, caseId, trial, attempt },
        // Rounds of its own: the next round of the deciding graders has the same number.
        [1, 2, 3].map((round) => gradeOf('rubric', round, isPass ? { verdict: 'fail', score: 0 } : {})),
      );
    }
    expect(await api.store.db.$count(schema.grade, eq(schema.grade.runId, run))).toBe(4 * ITEMS.length);
    expect(await seen()).toEqual(before);

    expect(await api.call('POST', `/runs/${run}/rescore`)).toMatchObject({ status: 202, body: { attempt: 2 } });
    await scored(run, 'done');
    const { counts, summary } = Object((await seen())[0]);
    expect({ counts, summary }).toEqual({ counts: Object(before[0]).counts, summary: Object(before[0]).summary });
    const again = and(eq(schema.grade.runId, run), eq(schema.grade.round, 2));
    // Each item its own, and the rubric's beside it.
    expect(await api.store.db.$count(schema.grade, again)).toBe(2 * ITEMS.length);
  });

  test('without a judge scoring is blocked with the reason, and what checkers can score is scored', async () => {
    const run = await importJudgedBy('judge-1');
    await scored(run, 'done');
    // As an older run has it.
    await api.store.db.update(schema.run).set({ config: {}, judgeProviderId: null }).where(eq(schema.run.id, run));
    expect(await api.call('POST', `/runs/${run}/rescore`)).toMatchObject({ status: 202 });
    expect((await scored(run, 'blocked')).body).toMatchObject({
      scoring_reason: 'Items need a judge, and the run has none.',
      scoring_attempt: 2,
    });
    const again = and(eq(schema.grade.runId, run), eq(schema.grade.round, 2));
    expect(await api.store.db.$count(schema.grade, again)).toBe(7);
  });

  test('text that no database takes, from a judge, fails no scoring: it is stored with replacement characters', async () => {
    const reason = `${'x'.repeat(1999)}😀 and more`;
    const content = JSON.stringify({ score: 1, reason });
    models.answer('judge-odd', () => ({
      body: JSON.stringify({
        id: '1',
        object: 'chat.completion',
        created: 1,
        model: 'odd\0model \ud83d',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    }));
    models.answer('judge-odd-error', () => ({ status: 400, text: 'Refused: \0 \ude00.' }));
    const [odd, failing] = [await importJudgedBy('judge-odd'), await importJudgedBy('judge-odd-error')];
    expect((await scored(odd, 'done')).body).toMatchObject({ summary: { scored: 7 } });
    expect((await scored(failing, 'partial')).body).toMatchObject({
      scoring_reason: expect.stringContaining('Refused: \uFFFD \uFFFD.'),
      summary: { scored: 6, verdicts: { error: 1 } },
    });
    const { items } = (await api.call('GET', `/runs/${odd}/items`)).body as {
      items: { id: string; scores: { judge: { reason: string } | null }[] }[];
    };
    expect(items.find(({ id }) => id === 'judge-1')?.scores[0]?.judge?.reason).toBe(`${'x'.repeat(1999)}\uFFFD`);
  });

  test('an item that no worker can read is an error of its own, and the others have their grades', async () => {
    const run = await importJudgedBy('judge-1');
    await scored(run, 'done');
    await api.store.db
      .update(schema.cell)
      .set({ snapshot: { type: 'no such type' } })
      .where(and(eq(schema.cell.runId, run), eq(schema.cell.caseId, 'free-1')));
    expect(await api.call('POST', `/runs/${run}/rescore`)).toMatchObject({ status: 202 });
    expect((await scored(run, 'partial')).body).toMatchObject({
      scoring_reason: expect.stringMatching(
        /^1 items could not be scored\. The first: The stored item free-1 can't be read: /,
      ),
      summary: { scored: 6, verdicts: { error: 1, unscored: 0 } },
    });
  });

  test('a value that the database refuses is an error of its item, told without the value', async () => {
    await api.store.db.execute(sql`
      create function refuse_canary() returns trigger language plpgsql as $$
      begin
        if new.case_id = 'free-2' and new.grader <> 'none' then
          raise exception 'secret payload %', new.details using errcode = '22P05';
        end if;
        return new;
      end $$`);
    await api.store.db.execute(
      sql`create trigger refuse_canary before insert on grade for each row execute function refuse_canary()`,
    );
    onTestFinished(async () => {
      await api.store.db.execute(sql`drop trigger refuse_canary on grade`);
    });
    const run = await importJudgedBy('judge-1');
    expect((await scored(run, 'partial')).body).toMatchObject({
      scoring_reason: '1 items could not be scored. The first: The database refused a value (SQLSTATE 22P05).',
      summary: { scored: 6, verdicts: { error: 1 } },
    });
  });

  test('a run that is being scored is not scored beside itself', async () => {
    models.answer('slow', () => ({ hang: true }));
    const run = await importJudgedBy('slow');
    expect(await api.call('POST', `/runs/${run}/rescore`, {})).toMatchObject({
      status: 409,
      body: { code: 'scoring_under_way' },
    });
    expect(await api.call('POST', '/runs/x/rescore', {})).toMatchObject({
      status: 404,
      body: { code: 'run_not_found' },
    });
  });
});
