/** Launched runs for tests: questions that a model can answer, and waiting for what comes of it. */
import { expect } from 'vitest';
import { z } from 'zod';
import { itemSchema } from '../../src/cases/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { startModelServer } from '../support/model-server.ts';
import { type Answer, idOf, newDataset, openApi } from './api.ts';

/** Patient with a busy machine, and quick to retry. */
export const ASK_LIMITS = { attempts: 4, backoffMs: 1, maxBackoffMs: 2, timeoutMs: 20_000 };

/** An API with a worker, models to ask, a provider that names them and a dataset of twelve sums. */
export async function openLaunches(prepare: () => Promise<EngineUnderTest>, askLimits = ASK_LIMITS) {
  const [engine, models] = await Promise.all([prepare(), startModelServer()]);
  const api = await openApi(engine, undefined, { progressMs: 0, askLimits });
  await api.work();
  const local = (more: object = {}) => ({
    name: 'Models',
    kind: 'openai-compatible',
    base_url: models.baseUrl,
    ...more,
  });
  const provider_id = idOf(await api.call('POST', '/providers', local()));
  const dataset_id = await newDataset(api, sums(12), 'Sums');
  return {
    api,
    models,
    provider_id,
    dataset_id,
    local,
    launch: (more: object) => api.call('POST', '/runs', { dataset_id, provider_id, ...more }),
    timesAsked: (prompt: string) => models.calls.filter((call) => call.prompt === prompt).length,
    async [Symbol.asyncDispose](): Promise<void> {
      await api[Symbol.asyncDispose]();
      await engine.close();
      await models[Symbol.asyncDispose]();
    },
  };
}
export type Launches = Awaited<ReturnType<typeof openLaunches>>;

/** `adder` answers all of them right. */
export const sums = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    itemSchema.parse({ id: `sum-${n}`, type: 'numeric', prompt_text: `What is ${n} + 1?`, answer: n + 1 }),
  );

export const runIdOf = (answer: Answer): string => {
  if (answer.status !== 202) throw new Error(answer.text);
  return z.string().parse(answer.body['run_id']);
};

export async function until(api: Launches['api'], run: string, wanted: { status?: string; scoring_status?: string }) {
  let seen: Record<string, unknown> = {};
  await expect
    .poll(
      async () => {
        seen = (await api.call('GET', `/runs/${run}`)).body;
        const { status, scoring_status } = seen;
        return { ...('status' in wanted ? { status } : {}), ...('scoring_status' in wanted ? { scoring_status } : {}) };
      },
      { interval: 30 },
    )
    .toEqual(wanted);
  return seen;
}

const itemsSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      prompt_text: z.string(),
      response: z.string().nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      model_label: z.string().nullable(),
      scores: z.array(z.object({ verdict: z.string(), method: z.string() })),
    }),
  ),
});

export async function itemsOf(api: Launches['api'], run: string) {
  return itemsSchema.parse((await api.call('GET', `/runs/${run}/items?limit=500`)).body).items;
}

export async function logOf(api: Launches['api'], run: string) {
  const { body } = await api.call('GET', `/runs/${run}/logs?limit=500`);
  const line = z.object({ code: z.string(), message: z.string(), data: z.record(z.string(), z.unknown()) });
  return z.object({ logs: z.array(line) }).parse(body).logs;
}
