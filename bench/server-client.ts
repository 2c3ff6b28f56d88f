/** What a person does with the server, over HTTP: a dataset, a pack, its capture, and waiting for the scores. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { generateDataset } from '../fixtures/chat/datasets/generate.ts';
import { writeZip } from '../src/archives/write-zip.ts';

const TARGET = { preset: 'custom', origin: 'https://bench.example', display_name: 'Bench' };
const packSchema = z.object({
  dataset_token: z.string(),
  items: z.array(z.object({ id: z.string(), prompt_text: z.string() })),
});
export type Pack = z.infer<typeof packSchema>;

export interface Imported {
  run: string;
  /** Until the answer came. */
  importMs: number;
  /** From the worker's first line in the log to its last. */
  scoringMs: number;
  /** From the answer until a worker began. */
  waitedMs: number;
  /** The longest answer of the health check while the items were imported, and while they were scored. */
  healthMs: { importing: number; scoring: number };
}

export async function makePack(url: string, items: number): Promise<Pack> {
  const jsonl = generateDataset(items).map((item) => `${JSON.stringify(item)}\n`);
  const { dataset } = z
    .object({ dataset: z.object({ id: z.string() }) })
    .parse(await post(`${url}datasets/import?name=Bench`, jsonl.join(''), 'application/x-ndjson'));
  const request = JSON.stringify({ dataset_id: dataset.id, target: TARGET });
  return packSchema.parse(await post(`${url}browser-harness/packs`, request, 'application/json'));
}

/** Two captures of one pack that began at the same moment would be the same one. */
let captures = 0;

/** Answers of some two hundred characters, a few of them wrong. */
export function captureOf({ dataset_token, items }: Pack, label: string): Buffer {
  const at = new Date(Date.now() + captures++);
  const time = at.toISOString();
  const results = items.map(({ id, prompt_text }, n) => ({
    dataset_item_id: id,
    prompt_text,
    response: `Let me think about this question step by step. ${'It asks for a number, and so I look at each. '.repeat(3)}\nThe answer is ${n % 7 === 0 ? 'C' : 'B'}.`,
    error: null,
    timing: { started_at: time, finished_at: time, latency_ms: 1200 },
    model_label: 'Bench 1',
  }));
  const manifest = {
    format: 'eval752.browser_harness.v1',
    exported_at: time,
    item_count: items.length,
    error_count: 0,
  };
  const browser_harness = {
    dataset_token,
    target: TARGET,
    judge: null,
    session: { started_at: time, finished_at: time },
    label,
  };
  const files = [
    { name: 'manifest.json', text: JSON.stringify(manifest) },
    { name: 'browser_harness.json', text: JSON.stringify(browser_harness) },
    { name: 'results.jsonl', text: results.map((result) => `${JSON.stringify(result)}\n`).join('') },
  ];
  return writeZip(files, at);
}

export async function importAndScore(url: string, capture: Buffer): Promise<Imported> {
  const probe = new HealthProbe(url);
  const started = performance.now();
  const run = await importCapture(url, capture);
  const importMs = performance.now() - started;
  const importing = await probe.end();
  const answered = Date.now();
  const scoringProbe = new HealthProbe(url);
  const times = await scoringTimes(url, run);
  return {
    run,
    importMs,
    scoringMs: times.done - times.started,
    waitedMs: Math.max(0, times.started - answered),
    healthMs: { importing, scoring: await scoringProbe.end() },
  };
}

/** @returns the id of the run. */
export async function importCapture(url: string, capture: Buffer): Promise<string> {
  const answer = await post(`${url}browser-harness/imports`, capture, 'application/zip');
  return z.object({ run_id: z.string() }).parse(answer).run_id;
}

const PROBE_MS = 10;

/** Asks for the health of the server again and again, on a connection that stays open, and keeps the longest answer. */
export class HealthProbe {
  readonly #end = new AbortController();
  readonly #done: Promise<number>;

  constructor(url: string) {
    this.#done = this.#run(`${url}healthz`);
  }

  /** The answer that is awaited is counted too. @returns milliseconds. */
  async end(): Promise<number> {
    this.#end.abort();
    return await this.#done;
  }

  async #run(address: string): Promise<number> {
    let longest = 0;
    while (!this.#end.signal.aborted) {
      const asked = performance.now();
      await (await fetch(address)).text();
      longest = Math.max(longest, performance.now() - asked);
      await wait(PROBE_MS);
    }
    return longest;
  }
}

/** From the run's own events. */
async function scoringTimes(url: string, run: string): Promise<{ started: number; done: number }> {
  const response = await fetch(`${url}runs/${run}/events`);
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString('utf8');
    const at = (code: string) => new RegExp(`^event: ${code}\\ndata: {"at":"([^"]+)"`, 'm').exec(text)?.[1];
    const [started, done] = [at('scoring_started'), at('scoring_done')];
    if (started !== undefined && done !== undefined) return { started: Date.parse(started), done: Date.parse(done) };
    const failed = /^event: scoring_(?:failed|blocked|partial)$/m.exec(text)?.[0];
    if (failed !== undefined) throw new Error(`The run was not scored: ${failed}`);
  }
  throw new Error('The stream of events ended before the run was scored.');
}

async function post(url: string, body: string | Buffer, type: string): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: body as BodyInit, headers: { 'content-type': type } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
