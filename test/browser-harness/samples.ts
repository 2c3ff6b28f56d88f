/** Datasets, keys and captures that the tests share. Secrets of the sample dataset are canaries: texts that occur nowhere by chance. */

import { writeZip } from '../../src/archives/write-zip.ts';
import type { Pack } from '../../src/capture/formats.ts';
import {
  buildPack,
  type Capture,
  type PackContext,
  type PackRequest,
  packRequestSchema,
  packTarget,
  tokenKeys,
} from '../../src/capture/index.ts';
import { type Dataset, type Item, itemSchema, versionHash } from '../../src/cases/index.ts';

export const NOW = new Date('2026-03-01T12:00:00.000Z');
export const OLD_KEY = { kid: 'k1', secret: Buffer.alloc(32, 1) };
export const NEW_KEY = { kid: 'k2', secret: Buffer.alloc(32, 2) };
export const KEYS = tokenKeys([NEW_KEY, OLD_KEY]);
const API_PROVIDER = { id: 'judge-provider', surface: 'api' as const };
export const JUDGE = { provider_id: 'judge-provider', model: 'judge-1', prompt: 'Be strict.' };

export const CANARIES = [
  'Zanzibar-canary-1',
  'quokka-canary-2',
  'canary-[0-9]+-3',
  'canary four criteria',
  '271828.1828',
  'canary-6-accept',
];

export const ITEMS: readonly Item[] = [
  {
    id: 'free-1',
    type: 'freeform',
    section: 'text',
    prompt_text: 'Which island?',
    answer: 'Zanzibar-canary-1',
    checker: { kind: 'exact', accept: ['canary-6-accept'] },
  },
  {
    id: 'free-2',
    type: 'freeform',
    section: 'text',
    prompt_text: 'Which animal?',
    answer: 'quokka-canary-2',
    checker: { kind: 'contains' },
  },
  {
    id: 'mcq-1',
    type: 'mcq_single',
    section: 'choice',
    prompt_text: 'Closest?\nA) Venus\nB) Mercury',
    choices: ['Venus', 'Mercury'],
    answer: 'B',
  },
  {
    id: 'mcq-2',
    type: 'mcq_multi',
    section: 'choice',
    prompt_text: 'Primes?\nA) 2\nB) 4\nC) 7',
    choices: ['2', '4', '7'],
    answer: ['A', 'C'],
  },
  {
    id: 'num-1',
    type: 'numeric',
    section: 'numbers',
    prompt_text: 'How much?',
    answer: 271828.1828,
    checker: { kind: 'numeric', abs_tol: 0.015625 },
  },
  {
    id: 'regex-1',
    type: 'regex',
    section: 'text',
    prompt_text: 'Which code?',
    checker: { kind: 'regex', pattern: 'canary-[0-9]+-3' },
  },
  {
    id: 'judge-1',
    type: 'judge',
    section: 'open',
    prompt_text: 'Why is the sky blue?',
    criteria: 'canary four criteria',
  },
  { id: 'open-1', type: 'freeform', section: 'open', prompt_text: 'Say something.' },
].map((item) => itemSchema.parse(item));

export function datasetOf(items: readonly Item[], id = 'ds-1'): Dataset {
  return { id, name: 'Sample', version_hash: versionHash(items), items };
}

export const DATASET = datasetOf(ITEMS);

export function request(change: Record<string, unknown> = {}): PackRequest {
  return packRequestSchema.parse({
    dataset_id: 'ds-1',
    target: { preset: 'chatgpt', origin: 'https://chatgpt.com' },
    judge: JUDGE,
    ...change,
  });
}

export function pack(
  change: Record<string, unknown> = {},
  context: PackContext = {},
  dataset = DATASET,
): Promise<Pack> {
  return buildPack(dataset, request(change), NOW, KEYS, {
    judgeProvider: API_PROVIDER,
    newId: () => 'pack-1',
    ...context,
  });
}

/** What the page would make of a pack: every prompt answered with `answer(id)`; undefined leaves the item out. */
export function captureOf(
  { dataset_token, items }: Pack,
  answer: (id: string) => string | undefined = (id) => `Answer to ${id}.`,
  asked = request(),
  at = NOW,
): Capture {
  const results = items.flatMap(({ id, prompt_text }, index) => {
    const response = answer(id);
    if (response === undefined) return [];
    const started = at.getTime() + index * 10_000;
    return [
      {
        dataset_item_id: id,
        prompt_text,
        response,
        error: null,
        timing: {
          started_at: new Date(started).toISOString(),
          finished_at: new Date(started + 5000).toISOString(),
          latency_ms: 5000,
        },
        model_label: 'Test 1',
      },
    ];
  });
  return {
    manifest: {
      format: 'eval752.browser_harness.v1',
      exported_at: '2026-03-01T13:00:00.000Z',
      item_count: results.length,
      error_count: 0,
      runtime_revision: '1',
      preset_revision: 'chatgpt.2026-09',
    },
    browser_harness: {
      dataset_token,
      target: packTarget(asked),
      judge: asked.judge ?? null,
      session: { started_at: at.toISOString(), finished_at: '2026-03-01T13:00:00.000Z' },
      label: 'Sample',
    },
    results,
  };
}

export function captureFiles({ manifest, browser_harness, results }: Capture): { name: string; text: string }[] {
  return [
    { name: 'manifest.json', text: JSON.stringify(manifest) },
    { name: 'browser_harness.json', text: JSON.stringify(browser_harness) },
    { name: 'results.jsonl', text: results.map((result) => `${JSON.stringify(result)}\n`).join('') },
  ];
}

export function captureZip(capture: Capture): Buffer {
  return writeZip(captureFiles(capture), NOW);
}
