/** What a team has on its server after a week: four datasets, five models asked every night, chat pages, and a few failures. */
import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { itemSchema, toJsonl } from '../../src/cases/index.ts';
import { schema } from '../../src/store/index.ts';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import type { WebApp } from '../../test/web/app.ts';
import { CHATGPT, ITEMS as EVERYDAY, GEMINI, importCapture, scoringEnded } from '../../test/web/seed.ts';

export interface SampleData extends AsyncDisposable {
  /** For the pages of a run, of a comparison and of the Browser Harness. */
  run: string;
  a: string;
  b: string;
  dataset: string;
}

type Item = Record<string, unknown>;

const CITIES =
  'France Paris,Japan Tokyo,Peru Lima,Kenya Nairobi,Norway Oslo,Canada Ottawa,Chile Santiago,Egypt Cairo,Italy Rome,Spain Madrid,Cuba Havana,Ghana Accra,India Delhi,Iran Tehran,Iraq Baghdad,Nepal Kathmandu,Qatar Doha,Syria Damascus,Tonga Nukualofa,Yemen Sanaa,Australia Canberra,Brazil Brasilia,Turkey Ankara,Myanmar Naypyidaw'
    .split(',')
    .map((pair) => pair.split(' '));

const sums: Item[] = Array.from({ length: 40 }, (_, n) => ({
  id: `word-problem-${n + 1}`,
  type: 'numeric',
  section: n % 2 === 0 ? 'one step' : 'two steps',
  prompt_text:
    n % 2 === 0
      ? `A box holds ${n + 6} pens. How many pens are in ${n + 3} boxes? Reply with the number.`
      : `A train has ${n + 4} cars with ${2 * n + 10} seats each, and ${n} seats are taken. How many are free? Reply with the number.`,
  answer: n % 2 === 0 ? (n + 6) * (n + 3) : (n + 4) * (2 * n + 10) - n,
}));

const capitals: Item[] = CITIES.map(([country = '', city]) => ({
  id: `capital-of-${country.toLowerCase()}`,
  type: 'freeform',
  section: 'capitals',
  prompt_text: `What is the capital of ${country}?`,
  answer: city,
  checker: { kind: 'contains' },
}));

const support: Item[] = [
  'A customer was charged twice for one order. Write the reply.',
  'A parcel is two weeks late. Write the reply.',
  'A customer asks for the data that we keep about them. Write the reply.',
  'The app shows a blank page after the update. Write the reply.',
  'A customer wants to return a used mattress. Write the reply.',
  'A refund went to a card that has expired. Write the reply.',
].map((prompt_text, n) => ({
  id: `ticket-${n + 1}`,
  type: 'judge',
  section: 'replies',
  prompt_text,
  criteria: 'Apologises once, names the next step and a time, and promises nothing that support cannot do.',
}));

/** How often each model is right, and how much better it gets from night to night. */
const MODELS = [
  { provider: 0, model: 'gpt-5', right: 0.9, gain: 0.02 },
  { provider: 0, model: 'gpt-5-mini', right: 0.76, gain: 0.03 },
  { provider: 1, model: 'llama-4-scout', right: 0.62, gain: 0.05 },
  { provider: 1, model: 'qwen3-32b', right: 0.8, gain: -0.04 },
];
const NIGHTS = 4;

const id = z.object({ id: z.string() });

export async function sampleData(app: WebApp): Promise<SampleData> {
  const models = await startModelServer();
  const providers: string[] = [];
  for (const name of ['OpenAI', 'Models on our own machines'])
    providers.push(
      id.parse(await app.api('POST', '/providers', { name, kind: 'openai-compatible', base_url: models.baseUrl })).id,
    );
  const judge = { provider_id: providers[0] ?? '', model: 'judge-1', prompt: '' };
  const datasets = new Map<string, string>();
  for (const [name, items] of Object.entries({
    'Everyday knowledge': [...EVERYDAY],
    'Word problems, grade school': sums,
    'Capitals of the world': capitals,
    'Customer support: tone and next step': support,
  })) {
    const made = await app.upload(
      `/datasets/import?name=${encodeURIComponent(name)}`,
      toJsonl(items.map((item) => itemSchema.parse(item))),
    );
    datasets.set(name, z.object({ dataset: id }).parse(made).dataset.id);
  }
  const dataset = (name: string): string => datasets.get(name) ?? '';
  const rightAnswers = new Map(
    [...EVERYDAY, ...sums, ...capitals].map((item) => [item['prompt_text'], item['answer']]),
  );
  const answerAs = (model: string, share: number, night: number) =>
    models.answer(model, ({ prompt }) => {
      const right = rightAnswers.get(prompt);
      const text = chance(`${model} ${night} ${prompt}`) < share ? `The answer is ${right}.` : 'I believe it is 17.';
      return { text, tokens: { input: 40 + prompt.length, output: 12 } };
    });
  const launch = async (name: string, provider: number, model: string, label: string): Promise<string> => {
    const body = { dataset_id: dataset(name), provider_id: providers[provider], model, label, judge };
    const made = z.object({ run_id: z.string() }).parse(await app.api('POST', '/runs', body));
    return made.run_id;
  };
  const madeAt = async (run: string, night: number, minute: number) => {
    const createdAt = new Date(Date.UTC(2026, 10, 10 + night, 2, minute));
    await app.store.db.update(schema.run).set({ createdAt }).where(eq(schema.run.id, run));
  };
  let last = { run: '', a: '', b: '' };
  for (let night = 0; night < NIGHTS; night += 1) {
    const runs: string[] = [];
    for (const { provider, model, right, gain } of MODELS) {
      answerAs(model, right + gain * night, night);
      runs.push(await launch('Word problems, grade school', provider, model, `Nightly ${model}, night ${night + 1}`));
      if (night > 1) runs.push(await launch('Capitals of the world', provider, model, ''));
    }
    for (const [minute, run] of runs.entries()) {
      await scoringEnded(app, run);
      await app.api('PATCH', `/runs/${run}`, { tags: ['nightly'] });
      await madeAt(run, night, minute);
    }
    last = { run: runs[4] ?? '', a: runs[0] ?? '', b: runs[4] ?? '' };
  }
  const captures = [
    { target: CHATGPT, models: ['GPT-5'], share: 0.9, judge },
    { target: GEMINI, models: ['Gemini 3 Pro'], share: 0.7, judge },
    { target: CHATGPT, models: ['GPT-5'], share: 0.95, judge: { ...judge, model: 'always-500' } },
  ];
  for (const [at, { share, ...capture }] of captures.entries()) {
    const run = await importCapture(app, {
      ...capture,
      dataset: dataset('Everyday knowledge'),
      say: (itemId, right) =>
        itemId === 'sum-3' && at === 0
          ? { code: 'response_timeout', message: 'The answer did not end within 180 s.' }
          : chance(`${at} ${itemId}`) < share
            ? `The answer is ${right}.`
            : 'I am not sure, but I would say Atlantis.',
    });
    await scoringEnded(app, run);
    await madeAt(run, NIGHTS, 10 * at);
  }
  // One that the provider refuses, and one that is asked while the picture is made.
  const refused = await launch('Customer support: tone and next step', 1, 'always-401', 'Support replies, new key');
  await ended(app, refused);
  await madeAt(refused, NIGHTS, 40);
  return { ...last, dataset: dataset('Capitals of the world'), [Symbol.asyncDispose]: () => stop(models) };
}

/** Always the same for the same text, from 0 to 1. */
function chance(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

async function ended(app: WebApp, run: string): Promise<void> {
  for (;;) {
    const { status } = await app.api('GET', `/runs/${run}`);
    if (status !== 'queued' && status !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const stop = (models: ModelServer) => models[Symbol.asyncDispose]();
