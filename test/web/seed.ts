/** A small world for the web app, made through the API: one dataset, a provider, captures of two chat pages. */
import { z } from 'zod';
import { CAPTURE_FORMAT } from '../../src/capture/formats.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import type { WebApp } from './app.ts';

/** Text that a chat page might answer with, to see that it stays text. */
export const HOSTILE = '<img src=x onerror="document.title=\'hacked\'"><b>Paris</b>';

const CAPITALS = { France: 'Paris', Japan: 'Tokyo', Peru: 'Lima', Kenya: 'Nairobi', Norway: 'Oslo', Canada: 'Ottawa' };
const PLANETS = ['Venus', 'Mercury', 'Mars', 'Jupiter'];

export const ITEMS: readonly Record<string, unknown>[] = [
  ...Array.from({ length: 10 }, (_, n) => ({
    id: `sum-${n + 1}`,
    type: 'numeric',
    section: 'arithmetic',
    prompt_text: `What is ${17 * (n + 1)} + ${23 + n}?\nReply with the number.`,
    answer: 17 * (n + 1) + 23 + n,
  })),
  ...Object.entries(CAPITALS).map(([country, city]) => ({
    id: `capital-${country.toLowerCase()}`,
    type: 'freeform',
    section: 'capitals',
    prompt_text: `What is the capital of ${country}?`,
    answer: city,
    checker: { kind: 'contains' },
  })),
  ...['closest to the Sun', 'the red one', 'the largest', 'the hottest'].map((what, n) => ({
    id: `planet-${n + 1}`,
    type: 'mcq_single',
    section: 'science, multiple choice',
    prompt_text: `Which planet is ${what}?\n${PLANETS.map((name, at) => `${'ABCD'[at]}) ${name}`).join('\n')}`,
    choices: PLANETS,
    answer: ['B', 'C', 'D', 'A'][n],
  })),
  {
    id: 'explain-sky',
    type: 'judge',
    section: 'explanations',
    prompt_text: 'Why is the sky blue? Answer in two sentences.',
    criteria: 'Names scattering of short wavelengths.',
  },
  {
    id: 'explain-ice',
    type: 'judge',
    section: 'explanations',
    prompt_text: 'Why does ice float on water?',
    criteria: 'Says that ice is less dense, because of its structure.',
  },
];

export const CHATGPT = { preset: 'chatgpt', origin: 'https://chatgpt.com', display_name: 'ChatGPT Web' };
export const GEMINI = { preset: 'gemini', origin: 'https://gemini.google.com', display_name: 'Gemini Web' };

export const toJsonl = (items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');

const id = z.object({ id: z.string() });
const packSchema = z.object({
  dataset_token: z.string(),
  items: z.array(z.object({ id: z.string(), prompt_text: z.string() })),
});

/** What a page said to an item: an answer, nothing at all, or an error. */
export type Said = string | undefined | { code: string; message: string };

export interface CaptureOptions {
  dataset: string;
  target: typeof CHATGPT;
  judge: { provider_id: string; model: string; prompt: string };
  say: (itemId: string, right: string) => Said;
  models?: readonly string[];
}

/** A pack, its capture, its import. @returns the run's id */
export async function importCapture(app: WebApp, options: CaptureOptions): Promise<string> {
  const { dataset, target, judge, say, models = ['GPT-5'] } = options;
  const pack = packSchema.parse(
    await app.api('POST', '/browser-harness/packs', { dataset_id: dataset, target, judge }),
  );
  let clock = Date.now();
  const started_at = new Date(clock).toISOString();
  const results = pack.items.flatMap(({ id: itemId, prompt_text }, at) => {
    const said = say(itemId, String(ITEMS.find((item) => item['id'] === itemId)?.['answer'] ?? ''));
    if (said === undefined) return [];
    const latency_ms = 1_500 + ((at * 7_919) % 9_000);
    const timing = {
      started_at: new Date(clock).toISOString(),
      finished_at: new Date(clock + latency_ms).toISOString(),
      latency_ms,
    };
    clock += latency_ms;
    const isText = typeof said === 'string';
    return [
      {
        dataset_item_id: itemId,
        prompt_text,
        response: isText ? said : '',
        error: isText ? null : said,
        timing,
        model_label: models[at % models.length],
      },
    ];
  });
  const finished_at = new Date(clock).toISOString();
  const made = await app.api('POST', '/browser-harness/imports', {
    manifest: {
      format: CAPTURE_FORMAT,
      exported_at: finished_at,
      item_count: results.length,
      error_count: results.filter(({ error }) => error !== null).length,
      runtime_revision: '1',
      preset_revision: `${target.preset}.2026-09`,
    },
    browser_harness: {
      dataset_token: pack.dataset_token,
      target,
      judge,
      session: { started_at, finished_at },
      label: `${target.display_name}, evening`,
    },
    results,
  });
  return z.object({ run_id: z.string() }).parse(made).run_id;
}

export interface World extends AsyncDisposable {
  dataset: string;
  provider: string;
  /** ChatGPT Web: mostly right, one capture error, one missing, two models named. Scored. */
  good: string;
  /** Gemini Web on the same dataset: more is wrong, and one answer is hostile. Scored. */
  worse: string;
  /** Its judge fails. */
  partial: string;
  modelsUrl: string;
  models: ModelServer;
}

export async function seed(app: WebApp): Promise<World> {
  const models = await startModelServer();
  const provider = id.parse(
    await app.api('POST', '/providers', {
      name: 'Local models',
      kind: 'openai-compatible',
      base_url: models.baseUrl,
      key_env: null,
    }),
  ).id;
  const imported = await app.upload('/datasets/import?name=Everyday%20knowledge', toJsonl(ITEMS));
  const dataset = z.object({ dataset: id }).parse(imported).dataset.id;
  const judge = (model: string) => ({ provider_id: provider, model, prompt: '' });
  const common = { dataset, target: CHATGPT };
  const good = await importCapture(app, {
    ...common,
    judge: judge('judge-1'),
    models: ['GPT-5', 'GPT-5 mini'],
    say: (itemId, right) =>
      itemId === 'sum-3'
        ? { code: 'response_timeout', message: 'The answer did not end within 180 s.' }
        : itemId === 'capital-peru'
          ? undefined
          : itemId === 'sum-7'
            ? 'It is 12.'
            : `The answer is ${right}.`,
  });
  const worse = await importCapture(app, {
    dataset,
    target: GEMINI,
    models: ['Gemini 3 Pro'],
    judge: judge('judge-0'),
    say: (itemId, right) =>
      itemId === 'capital-france'
        ? HOSTILE
        : /sum-[2468]|planet-[13]|capital-kenya/.test(itemId)
          ? 'I am not sure about that, but I would say Atlantis.'
          : `**${right}**`,
  });
  const partial = await importCapture(app, {
    ...common,
    judge: judge('always-500'),
    say: (_, right) => `The answer is ${right}.`,
  });
  for (const run of [good, worse, partial]) await scoringEnded(app, run);
  return {
    dataset,
    provider,
    good,
    worse,
    partial,
    modelsUrl: models.baseUrl,
    models,
    [Symbol.asyncDispose]: () => models[Symbol.asyncDispose](),
  };
}

/** Follows the run's own events, as its page does, until it is scored. */
export async function scoringEnded(app: WebApp, run: string): Promise<void> {
  const response = await fetch(`${app.origin}/runs/${run}/events`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (reader && !/event: scoring_(done|partial|failed|blocked)/.test(seen)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The events of ${run} ended too early: ${seen}`);
    seen += value;
  }
  await reader?.cancel();
}
