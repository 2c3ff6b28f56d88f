import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { generateDataset } from '../../fixtures/chat/datasets/generate.ts';
import { zip } from '../../page/runtime/zip.ts';
import {
  bookmarklet,
  CAPTURE_FORMAT,
  ITEM_ERROR_CODES,
  PACK_FORMAT,
  type Capture as PageCapture,
  PRESET_NAMES,
  packFile,
  presets,
  type RuntimePack,
  rawScript,
} from '../../src/capture/formats.ts';
import { checkCapture, findLeaks, packTarget, readCapture, verifyToken } from '../../src/capture/index.ts';
import { checkerOf, type Dataset, parseJsonl } from '../../src/cases/index.ts';
import { checkItem } from '../../src/graders/index.ts';
import { planGrading, summarise } from '../../src/runs/index.ts';
import { CANARIES, captureOf, datasetOf, ITEMS, JUDGE, KEYS, NOW, pack, request } from './samples.ts';

const near = (file: string): string => readFileSync(new URL(`../../fixtures/chat/${file}`, import.meta.url), 'utf8');

/** Written by the page's own code, not by ours. */
function pageZip({ manifest, browser_harness, results }: PageCapture): Buffer {
  return Buffer.from(
    zip(
      [
        { name: 'manifest.json', text: JSON.stringify(manifest) },
        { name: 'browser_harness.json', text: JSON.stringify(browser_harness) },
        { name: 'results.jsonl', text: results.map((result) => `${JSON.stringify(result)}\n`).join('') },
      ],
      NOW,
    ),
  );
}

describe('page and server agree on', () => {
  test('presets and their names', () => {
    expect(Object.keys(presets)).toEqual([...PRESET_NAMES]);
    for (const preset of ['chatgpt', 'gemini'] as const) {
      const { origin, display_name } = presets[preset];
      expect(packTarget(request({ target: { preset, origin } })).display_name).toBe(display_name);
    }
  });

  test('the capture format, every error code and flag of it', async () => {
    const made = await pack();
    const plain = captureOf(made);
    const results = plain.results.map((result, index) => ({
      ...result,
      error: index === 0 ? null : { code: ITEM_ERROR_CODES[index] ?? 'aborted', message: 'As the page says.' },
    }));
    const capture = {
      ...plain,
      manifest: {
        ...plain.manifest,
        format: CAPTURE_FORMAT,
        error_count: results.length - 1,
        flags: { 'free-1': 'busy_stuck' },
      },
      results,
    } as unknown as PageCapture;
    const read = await readCapture(pageZip(capture));
    expect(read).toEqual(capture);
    const plan = checkCapture(read, await verifyToken(read.browser_harness.dataset_token, KEYS, NOW), datasetOf(ITEMS));
    expect(plan.counts).toEqual({ expected: 8, received: 8, answered: 1, errored: 7, missing: 0 });
    expect(plan.items[0]?.flag).toBe('busy_stuck');
  });
});

test('nothing secret is in the script, the bookmarklet or the pack file', async () => {
  const made = await pack();
  const runtimePack: RuntimePack = {
    format: PACK_FORMAT,
    pack_id: made.pack_id,
    dataset_token: made.dataset_token,
    expires_at: made.expires_at,
    label: made.dataset.name,
    target: packTarget(request()),
    judge: JUDGE,
    // As careless as it can be: whole items.
    items: ITEMS,
    preset_revision: presets.chatgpt.revision,
    selectors: presets.chatgpt.selectors,
    notices: presets.chatgpt.notices,
    settings: {},
  };
  const leaving = [
    rawScript(runtimePack, 'function(){}'),
    bookmarklet(runtimePack, 'function(){}') ?? '',
    packFile(runtimePack),
  ];
  for (const text of leaving) {
    const open = decodeURIComponent(text);
    expect(findLeaks(open, ITEMS)).toEqual([]);
    for (const canary of CANARIES) expect(open).not.toContain(canary);
  }
  // The same scan does find what a careless embedding would lose.
  expect(findLeaks(JSON.stringify(runtimePack), ITEMS).length).toBeGreaterThan(4);
});

describe('the fixture pages’ answers are scored as the datasets say', () => {
  const page = { table: JSON.parse(near('answers.json')) as unknown, say: (_prompt: string, _table: unknown) => '' };
  runInNewContext(`${near('engine.js')}\nthis.say = answerTo;`, page);

  test.each([
    ['small', near('datasets/small.jsonl'), 8],
    [
      '1,000 items',
      generateDataset(1000)
        .map((item) => `${JSON.stringify(item)}\n`)
        .join(''),
      900,
    ],
  ])('%s', async (_, jsonl, atLeast) => {
    const { items } = parseJsonl(jsonl);
    const dataset: Dataset = datasetOf(items, 'fixture');
    const made = await pack({ dataset_id: 'fixture' }, {}, dataset);
    const prompts = new Map(items.map(({ id, prompt_text }) => [id, prompt_text]));
    const capture = captureOf(
      made,
      (id) => page.say(prompts.get(id) ?? '', page.table),
      request({ dataset_id: 'fixture' }),
    );
    const read = await readCapture(pageZip(capture as unknown as PageCapture));
    const plan = checkCapture(read, await verifyToken(read.browser_harness.dataset_token, KEYS, NOW), dataset);
    expect(plan.counts).toMatchObject({ expected: items.length, answered: items.length });
    const byId = new Map(items.map((item) => [item.id, item]));
    const rows = planGrading(plan.items, items).grades.flatMap((planned) => {
      const item = byId.get(planned.id);
      if (planned.by !== 'checker' || !item) return [];
      const { value, verdict, detail } = checkItem(item, planned.response);
      expect(verdict, `${item.id}: ${detail.reason}`).toBe(item.meta.fixture === 'right' ? 'pass' : 'fail');
      return [{ caseId: item.id, grader: checkerOf(item)?.kind ?? 'none', round: 1, score: value, verdict }];
    });
    const summary = summarise(plan.items, rows);
    expect(summary.scored).toBe(items.filter(({ type }) => type !== 'judge').length);
    expect(summary.passed).toBeGreaterThanOrEqual(atLeast);
  });
});
