/** The Browser Harness behind `app.request()`, on either engine, with helpers that read answers strictly. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { TokenKeys } from '../../src/capture/index.ts';
import { type Item, toJsonl } from '../../src/cases/index.ts';
import { defineFurther, defineGrading, defineLaunching } from '../../src/runs/index.ts';
import {
  type ApiRoutesOptions,
  apiRoutes,
  createApp,
  decideAccess,
  type Router,
  type ServerContext,
} from '../../src/server/index.ts';
import { FolderArtifacts, Queue, type Store, schema } from '../../src/store/index.ts';
import { captureOf, captureZip, ITEMS, KEYS, NOW } from '../browser-harness/samples.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { OpenApiCheck } from '../support/openapi-check.ts';

export interface Answer {
  status: number;
  type: string;
  body: Record<string, unknown>;
  text: string;
}

export interface Api extends AsyncDisposable {
  store: Store;
  queue: Queue;
  app: Router;
  context: ServerContext;
  clock: { now: Date };
  /** Every answer is held against the OpenAPI document. */
  openApi: OpenApiCheck;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends bytes as they are. */
  send(path: string, type: string, bytes: Uint8Array | string, headers?: Record<string, string>): Promise<Answer>;
  /** Rows of every table, jobs too. */
  rows(): Promise<Record<string, number>>;
  /** Begins to score. */
  work(): Promise<void>;
}

const HOST = { host: 'localhost:7520' };

export async function openApi(
  engine: EngineUnderTest,
  keys: TokenKeys = KEYS,
  more: Partial<ApiRoutesOptions> = {},
): Promise<Api> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-harness-'));
  const store = await engine.open();
  const queue = await Queue.start(store);
  await defineGrading(queue);
  await defineFurther(queue);
  await defineLaunching(queue);
  const stopping = new AbortController();
  const clock = { now: NOW };
  const context: ServerContext = {
    store,
    queue,
    artifacts: new FolderArtifacts(path.join(folder, 'artifacts')),
    version: '1.2.3',
    allowLocalProviders: true,
    stopping: stopping.signal,
    log: (line) => process.stderr.write(`${line}\n`),
  };
  const routes = apiRoutes({
    keys,
    now: () => clock.now,
    judgeLimits: { attempts: 2, backoffMs: 1, maxBackoffMs: 2, timeoutMs: 5_000 },
    askLimits: { attempts: 3, backoffMs: 1, maxBackoffMs: 2, timeoutMs: 20_000 },
    ...more,
  });
  const app = createApp({ ...context, access: decideAccess({ host: '127.0.0.1' }), routeModules: [routes] });
  const document = await (await app.request('/openapi.json', { headers: HOST })).json();
  const openApi = new OpenApiCheck(document);
  const request = async (url: string, init: RequestInit & { method: string }) => {
    const answer = await read(await app.request(url, init));
    openApi.check(init.method, url, answer);
    return answer;
  };
  const send: Api['send'] = (url, type, bytes, headers = {}) =>
    request(url, {
      method: url.endsWith('/items') ? 'PUT' : 'POST',
      headers: { ...HOST, 'content-type': type, ...headers },
      body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
    });
  return {
    store,
    queue,
    app,
    context,
    clock,
    openApi,
    send,
    async call(method, url, body, headers = {}) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const init = { method, headers: { ...HOST, ...json, ...headers } };
      return await request(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    },
    async rows() {
      const counts: Record<string, number> = {};
      for (const name of TABLES) counts[name] = await store.db.$count(schema[name]);
      const { rows } = await store.db.execute<{ n: number }>(sql`select count(*)::int as n from pgboss.job`);
      return { ...counts, jobs: rows[0]?.n ?? -1 };
    },
    work: async () => void (await routes.start?.(context)),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await queue.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const TABLES = [
  'dataset',
  'datasetItem',
  'datasetVersion',
  'provider',
  'pack',
  'captureImport',
  'idempotencyKey',
  'run',
  'cell',
  'attempt',
  'grade',
  'runLog',
  'schedule',
] as const;

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const body =
    type.includes('json') && !type.includes('ndjson') ? z.record(z.string(), z.unknown()).parse(JSON.parse(text)) : {};
  return { status: response.status, type, body, text };
}

export const CHATGPT = { preset: 'chatgpt', origin: 'https://chatgpt.com', display_name: 'ChatGPT Web' };
export const PROGRAMMATIC = ITEMS.filter(({ type, id }) => type !== 'judge' && id !== 'open-1');

export const packSchema = z.object({
  pack_id: z.string(),
  dataset: z.object({ id: z.string(), name: z.string(), version_hash: z.string() }),
  sections: z.array(z.string()),
  items: z.array(z.object({ id: z.string(), seq: z.int(), section: z.string(), prompt_text: z.string() })),
  excluded: z.array(z.object({ id: z.string(), reason: z.enum(['variation', 'not_text']) })),
  scoring: z.object({ programmatic: z.int(), judge_required: z.int(), unscorable: z.int() }),
  dataset_token: z.string(),
  expires_at: z.string(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type PackAnswer = z.infer<typeof packSchema>;

export const idOf = ({ body }: Answer): string => z.string().parse(body['id']);

export async function newDataset(api: Api, items: readonly Item[] = PROGRAMMATIC, name = 'Sample'): Promise<string> {
  const made = await api.send(`/datasets/import?name=${name}`, 'application/x-ndjson', toJsonl(items));
  return z.object({ dataset: z.object({ id: z.string() }) }).parse(made.body).dataset.id;
}

export async function newPack(api: Api, dataset_id: string, more: Record<string, unknown> = {}): Promise<PackAnswer> {
  const made = await api.call('POST', '/browser-harness/packs', { dataset_id, target: CHATGPT, ...more });
  if (made.status !== 201) throw new Error(made.text);
  return packSchema.parse(made.body);
}

export interface CaptureChange {
  answer?: (id: string) => string | undefined;
  judge?: { provider_id: string; model: string; prompt: string };
  target?: { preset: string; origin: string; display_name: string };
  label?: string;
  /** When it was captured: the same answers at another time are another capture. */
  at?: Date;
}

/** What the page would download. */
export function capture(pack: PackAnswer, { answer, judge, target = CHATGPT, label, at }: CaptureChange = {}) {
  const made = captureOf(pack, answer, undefined, at);
  return {
    ...made,
    browser_harness: { ...made.browser_harness, target, judge: judge ?? null, label: label ?? pack.pack_id },
  };
}

/** Another session with the same pack: its number says how many seconds after the first it began. */
export const sessionAt = (seconds: number): { at: Date } => ({ at: new Date(NOW.getTime() + seconds * 1000) });

export const zipOf = (pack: PackAnswer, change: CaptureChange = {}): Buffer => captureZip(capture(pack, change));

export const importZip = (api: Api, bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Answer> =>
  api.send('/browser-harness/imports', 'application/zip', bytes, headers);
