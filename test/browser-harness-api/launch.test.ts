/** Launching a normal run: what it asks, keeps and grades, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { ITEMS } from '../browser-harness/samples.ts';
import { engines } from '../support/engines.ts';
import type { ModelServer } from '../support/model-server.ts';
import { type Api, idOf, importZip, newDataset, newPack, zipOf } from './api.ts';
import { itemsOf, type Launches, logOf, openLaunches, runIdOf, until } from './launched.ts';

describe.each(engines)('normal runs on $name', ({ prepare }) => {
  let launches: Launches;
  let api: Api;
  let models: ModelServer;
  let provider_id: string;
  let dataset_id: string;
  beforeAll(async () => {
    launches = await openLaunches(prepare);
    ({ api, models, provider_id, dataset_id } = launches);
  });
  beforeEach(() => models.reset());
  afterAll(() => launches?.[Symbol.asyncDispose]());

  test('a dataset is launched, asked item by item, completed and scored; the log tells it', async () => {
    const launched = await launches.launch({
      model: 'adder',
      label: 'First',
      max_items: 8,
      params: { temperature: 0.5, max_tokens: 100, system: 'Add.' },
    });
    expect(launched).toMatchObject({
      status: 202,
      body: { status: 'queued', items: 8, excluded: [], warnings: [{ code: 'max_items' }] },
    });
    const run = runIdOf(launched);
    expect(await until(api, run, { status: 'completed', scoring_status: 'done' })).toMatchObject({
      provider: { id: provider_id, surface: 'api' },
      model: 'adder',
      model_labels: ['adder-2026-01-01'],
      label: 'First',
      capture_label: null,
      triggered_by: 'manual',
      schedule_id: null,
      status_reason: null,
      item_count: 8,
      counts: { expected: 8, answered: 8, errored: 0, missing: 0, scored: 8, passed: 8 },
      accuracy: 1,
      coverage: 1,
      started_at: api.clock.now.toISOString(),
      finished_at: api.clock.now.toISOString(),
      imported_at: null,
      config: {
        params: { temperature: 0.5, max_tokens: 100, system: 'Add.' },
        scope: { max_items: 8 },
        concurrency: 4,
      },
    });
    expect(models.calls).toHaveLength(8);
    expect(models.calls[0]).toMatchObject({ temperature: 0.5, messages: [{ role: 'system', content: 'Add.' }, {}] });
    expect((await itemsOf(api, run))[3]).toMatchObject({
      id: 'sum-3',
      status: 'answered',
      prompt_text: 'What is 3 + 1?',
      response: '3 + 1 = 4',
      model_label: 'adder-2026-01-01',
      scores: [{ verdict: 'pass', method: 'numeric' }],
    });
    const codes = (await logOf(api, run)).map(({ code }) => code);
    expect(codes.filter((code) => code !== 'run_progress')).toEqual([
      'run_queued',
      'max_items',
      'run_started',
      'run_completed',
      'scoring_queued',
      'scoring_started',
      'items_scored',
      'scoring_done',
    ]);
    expect(codes.filter((code) => code === 'run_progress').length).toBeGreaterThan(0);
  });

  test('tokens and cost of the calls are kept; one answer that does not say makes the sum unknown, and never zero', async () => {
    const openai = idOf(await api.call('POST', '/providers', launches.local({ kind: 'openai' })));
    models.answer('gpt-5-mini', () => ({ text: '1', tokens: { input: 1000, output: 100 } }));
    const priced = runIdOf(await launches.launch({ provider_id: openai, model: 'gpt-5-mini', max_items: 2 }));
    const { usage } = await until(api, priced, { status: 'completed' });
    expect(usage).toEqual({ input_tokens: 2000, output_tokens: 200, cost_usd: expect.closeTo(0.0009, 10) });
    expect((await api.call('GET', `/runs/${priced}/items`)).body['items']).toMatchObject([
      { usage: { input_tokens: 1000, output_tokens: 100, cost_usd: expect.closeTo(0.00045, 10) } },
      {},
    ]);
    const silent = JSON.stringify({
      choices: [{ message: { role: 'assistant', content: '1' }, finish_reason: 'stop' }],
    });
    models.answer('half', () => (models.count('half') === 1 ? { body: silent } : { text: '1', tokens: { input: 5 } }));
    const half = runIdOf(await launches.launch({ model: 'half', max_items: 2, concurrency: 1 }));
    expect(await until(api, half, { status: 'completed' })).toMatchObject({ usage: null });
    expect((await api.call('GET', `/runs/${half}/items`)).body['items']).toMatchObject([
      { status: 'answered', usage: null },
      { usage: { input_tokens: 5, cost_usd: null } },
    ]);
  });

  test('what a provider says about the settings of its calls is in the journals, and once in the log', async () => {
    const openai = idOf(await api.call('POST', '/providers', launches.local({ kind: 'openai' })));
    models.answer('gpt-5-mini', () => ({ text: '1' }));
    const params = { temperature: 0.5 };
    const run = runIdOf(await launches.launch({ provider_id: openai, model: 'gpt-5-mini', max_items: 3, params }));
    await until(api, run, { status: 'completed' });
    const said = (await logOf(api, run)).filter(({ code }) => code === 'model_warning');
    expect(said.map(({ message }) => message)).toEqual([expect.stringMatching(/^temperature is not supported/)]);
    const runs = new DatabaseRunStore({ store: api.store, artifacts: api.context.artifacts });
    for (const caseId of ['sum-0', 'sum-1', 'sum-2']) {
      const events = await Array.fromAsync(runs.events({ runId: run, caseId, trial: 1, attempt: 1 }));
      expect(events.map(({ type }) => type)).toEqual(['start', 'message', 'warning', 'message', 'usage', 'stop']);
      expect(events[2]).toMatchObject({ source: 'model', message: said[0]?.message });
    }
  });

  test('what needs a judge is judged by the one that was chosen', async () => {
    const judge = { provider_id, model: 'judge-1', prompt: '' };
    const dataset = await newDataset(api, ITEMS);
    const run = runIdOf(await launches.launch({ dataset_id: dataset, model: 'echo', judge, sections: ['open'] }));
    expect(await until(api, run, { scoring_status: 'done' })).toMatchObject({
      config: { judge: { ...judge, source: 'launch' } },
      summary: { total: 2, scored: 1, passed: 1 },
    });
  });

  test('refusals say why, and leave nothing behind', async () => {
    const judged = await newDataset(api, ITEMS);
    const { body } = await importZip(api, zipOf(await newPack(api, dataset_id)));
    const browser = String(body['provider_id']);
    await until(api, String(body['run_id']), { scoring_status: 'done' });
    const before = await api.rows();
    const nobody = '00000000-0000-4000-8000-000000000000';
    const refused = [
      [{}, 400, 'request_invalid'],
      [{ model: ' ' }, 400, 'request_invalid'],
      [{ model: 'm\0' }, 400, 'request_invalid'],
      [{ model: 'm', params: { temperature: 3 } }, 400, 'request_invalid'],
      [{ model: 'm', params: { top_p: 1 } }, 400, 'request_invalid'],
      [{ model: 'm', concurrency: 1000 }, 400, 'request_invalid'],
      [{ model: 'm', key: 'sk-1' }, 400, 'request_invalid'],
      [{ model: 'm', dataset_id: nobody }, 404, 'dataset_not_found'],
      [{ model: 'm', provider_id: nobody }, 404, 'provider_not_found'],
      [{ model: 'm', provider_id: 'x' }, 404, 'provider_not_found'],
      [{ model: 'm', provider_id: browser }, 422, 'provider_not_api'],
      [{ model: 'm', sections: ['nowhere'] }, 422, 'scope_unsupported'],
      [{ model: 'm', item_ids: ['nothing'] }, 422, 'scope_unsupported'],
      [{ model: 'm', sections: ['main'], item_ids: ['sum-1'], max_items: 0 }, 400, 'request_invalid'],
      [{ model: 'm', dataset_id: judged }, 422, 'judge_required'],
      [{ model: 'm', dataset_id: judged, judge: { provider_id: browser, model: 'j' } }, 422, 'judge_provider_invalid'],
      [{ model: 'm', dataset_id: judged, judge: { provider_id, model: ' ' } }, 422, 'judge_model_missing'],
    ] as const;
    for (const [more, status, code] of refused) {
      expect(await launches.launch(more), JSON.stringify(more)).toMatchObject({ status, body: { code } });
    }
    expect(await api.rows()).toEqual(before);
    const preflight = (more: object) => api.call('POST', '/runs/preflight', { dataset_id, provider_id, ...more });
    expect((await preflight({ model: 'm', dataset_id: judged })).body).toMatchObject({
      ready: false,
      blockers: [{ code: 'judge_required', fix: expect.stringContaining('Choose an API provider') }],
    });
    expect((await preflight({ model: 'm' })).body).toMatchObject({
      ready: true,
      items: 12,
      scoring: { programmatic: 12 },
    });
    expect(await preflight({ model: 'm', provider_id: browser })).toMatchObject({ status: 422 });
    expect(await api.rows()).toEqual(before);
    const keyless = idOf(await api.call('POST', '/providers', launches.local({ key_env: 'WAYMARK_KEY_NOT_SET' })));
    expect((await preflight({ model: 'm', provider_id: keyless })).body).toMatchObject({
      ready: false,
      items: 12,
      blockers: [
        {
          code: 'key_missing',
          message: 'The environment variable WAYMARK_KEY_NOT_SET is not set.',
          fix: 'Set it, and start the server again.',
        },
      ],
    });
    await api.call('DELETE', `/providers/${keyless}`);
    expect(models.count()).toBe(0);
    for (const [act, status] of [
      ['cancel', 409],
      // A capture: its items are not asked by the server.
      ['resume', 422],
    ] as const) {
      expect(await api.call('POST', `/runs/${nobody}/${act}`)).toMatchObject({
        status: 404,
        body: { code: 'run_not_found' },
      });
      expect(await api.call('POST', `/runs/${body['run_id']}/${act}`)).toMatchObject({ status });
    }
    expect(await api.rows()).toEqual(before);
  });
});
