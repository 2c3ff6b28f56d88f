import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import {
  captureOf,
  captureZip,
  DATASET,
  datasetOf,
  ITEMS,
  JUDGE,
  KEYS,
  NOW,
  pack,
  request,
} from '../../../test/browser-harness/samples.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { Capture as WrittenCapture } from '../formats.ts';
import { verifyToken } from '../tokens/verify-token.ts';
import type { browserHarnessSchema, Capture, CaptureResult, manifestSchema, resultSchema } from './capture-schema.ts';
import { checkCapture, type ImportPlan } from './check-capture.ts';
import { readCapture } from './read-capture.ts';

const made = await pack();
const capture = captureOf(made);

test('what the in-page script writes, the schemas of an import take', () => {
  expectTypeOf<WrittenCapture['manifest']>().toExtend<z.input<typeof manifestSchema>>();
  expectTypeOf<WrittenCapture['browser_harness']>().toExtend<z.input<typeof browserHarnessSchema>>();
  expectTypeOf<WrittenCapture['results'][number]>().toExtend<z.input<typeof resultSchema>>();
});

async function plan(changed: Capture = capture, dataset = DATASET): Promise<ImportPlan> {
  const token = await verifyToken(changed.browser_harness.dataset_token, KEYS, NOW);
  return checkCapture(changed, token, dataset);
}

async function refusal(making: Promise<unknown>): Promise<WaymarkError> {
  const thrown = await making.catch((error: unknown) => error);
  if (!(thrown instanceof WaymarkError)) throw new Error('accepted');
  return thrown;
}

/** The capture with one result changed. */
function withResult(index: number, change: Partial<CaptureResult>, of = capture): Capture {
  return { ...of, results: of.results.map((result, at) => (at === index ? { ...result, ...change } : result)) };
}

function withHarness(change: Partial<Capture['browser_harness']>): Capture {
  return { ...capture, browser_harness: { ...capture.browser_harness, ...change } };
}

describe('a capture', () => {
  test('is read from a ZIP and from JSON to the same', async () => {
    const fromZip = await readCapture(captureZip(capture));
    expect(fromZip).toEqual(capture);
    expect(await readCapture(Buffer.from(JSON.stringify(capture)))).toEqual(fromZip);
    expect(await readCapture(Buffer.from(`\n ${JSON.stringify(capture, null, 2)}\n`))).toEqual(fromZip);
  });

  test('may hold fields of a newer runtime, which are left out', async () => {
    const newer = { ...capture, extra: 1, manifest: { ...capture.manifest, extra: { deep: [] } } };
    expect(await readCapture(Buffer.from(JSON.stringify(newer)))).toEqual(capture);
  });

  test('becomes a plan with every item of the pack', async () => {
    const made = await plan();
    expect(made).toMatchObject({
      pack_id: 'pack-1',
      dataset_id: 'ds-1',
      version_hash: DATASET.version_hash,
      target: { preset: 'chatgpt', origin: 'https://chatgpt.com', display_name: 'ChatGPT Web' },
      judge: JUDGE,
      label: 'Sample',
      started_at: '2026-03-01T12:00:00.000Z',
      finished_at: '2026-03-01T13:00:00.000Z',
      runtime_revision: '1',
      preset_revision: 'chatgpt.2026-09',
      model_labels: ['Test 1'],
      counts: { expected: 8, received: 8, answered: 8, errored: 0, missing: 0 },
      warnings: [],
    });
    expect(made.items.map(({ id, seq, status }) => [id, seq, status])).toEqual(
      ITEMS.map(({ id }, index) => [id, index + 1, 'answered']),
    );
    expect(made.items[2]).toEqual({
      id: 'mcq-1',
      seq: 3,
      section: 'choice',
      prompt_text: ITEMS[2]?.prompt_text,
      status: 'answered',
      response: 'Answer to mcq-1.',
      error: null,
      timing: capture.results[2]?.timing,
      model_label: 'Test 1',
      flag: null,
      repaired: false,
    });
  });

  test('may be partial, out of order, with errors: imported with warnings', async () => {
    const partial = captureOf(made, (id) => (id === 'num-1' || id === 'open-1' ? undefined : `Answer to ${id}.`));
    const mixed: Capture = {
      ...withResult(1, { error: { code: 'response_timeout', message: 'No end.' }, response: 'half an ans' }, partial),
      manifest: { ...partial.manifest, error_count: 1, flags: { 'mcq-1': 'busy_stuck' } },
    };
    const plan1 = await plan({ ...mixed, results: [...mixed.results].reverse() });
    expect(plan1.counts).toEqual({ expected: 8, received: 6, answered: 5, errored: 1, missing: 2 });
    expect(plan1.items.map(({ id }) => id)).toEqual(ITEMS.map(({ id }) => id));
    expect(plan1.items[1]).toMatchObject({
      status: 'error',
      response: 'half an ans',
      error: { code: 'response_timeout', message: 'No end.' },
    });
    expect(plan1.items[2]).toMatchObject({ status: 'answered', flag: 'busy_stuck' });
    expect(plan1.items[4]).toMatchObject({ status: 'missing', response: null, error: null, timing: null });
    expect(plan1.warnings).toEqual([
      {
        code: 'missing_items',
        message: 'Missing from the capture (2): num-1, open-1.',
        item_ids: ['num-1', 'open-1'],
      },
      { code: 'errored_items', message: 'An error instead of an answer (1): free-2.', item_ids: ['free-2'] },
      {
        code: 'uncertain_end',
        message: 'Taken for finished, although the page never said so (1): mcq-1.',
        item_ids: ['mcq-1'],
      },
    ]);
  });

  test('without words is no wrong answer', async () => {
    const { counts, items } = await plan(withResult(0, { response: ' \n ' }));
    expect(counts).toMatchObject({ answered: 7, errored: 1 });
    expect(items[0]).toMatchObject({ status: 'error', error: { code: 'empty_response' } });
  });

  test('with text that no database holds is repaired, and says so', async () => {
    const broken = withResult(0, { response: 'cut \ud83d here\0', model_label: 'M\0' });
    const { items, warnings } = await plan(await readCapture(Buffer.from(JSON.stringify(broken))));
    expect(items[0]).toMatchObject({ response: 'cut \ufffd here\ufffd', model_label: 'M\ufffd', repaired: true });
    expect(warnings).toContainEqual({
      code: 'text_repaired',
      message: 'With characters that were replaced (1): free-1.',
      item_ids: ['free-1'],
    });
  });

  test('of several models, or with a strange clock, warns', async () => {
    const two = await plan(withResult(0, { model_label: 'Test 2' }));
    expect(two.model_labels).toEqual(['Test 2', 'Test 1']);
    expect(two.warnings).toEqual([{ code: 'several_models', message: 'The page named 2 models: Test 2, Test 1.' }]);
    const early = await plan(
      withHarness({ session: { started_at: '2026-02-28T12:00:00Z', finished_at: '2026-02-28T11:00:00Z' } }),
    );
    expect(early.warnings.map(({ message }) => message)).toEqual([
      'The session ends before it begins.',
      'The session begins before the pack was made.',
    ]);
  });

  test('of an item that is called like a property of every object takes no flag from it', async () => {
    const [first] = ITEMS;
    if (!first) throw new Error('no items');
    const dataset = datasetOf([{ ...first, id: 'constructor' }]);
    const small = await pack({ judge: null }, {}, dataset);
    const result = captureOf(small, undefined, request({ judge: null }));
    const flagged = { ...result, manifest: { ...result.manifest, flags: { other: 'busy_stuck' } } };
    expect((await plan(flagged, dataset)).items[0]?.flag).toBeNull();
  });
});

describe('a capture is refused', () => {
  const first = capture.results[0];
  if (!first) throw new Error('no results');
  test.each<[string, Capture, string, number, unknown[]]>([
    [
      'from another origin',
      withHarness({ target: { preset: 'chatgpt', origin: 'https://evil.example' } }),
      'target_mismatch',
      422,
      [{ path: 'browser_harness.target.origin' }],
    ],
    [
      'of another preset',
      withHarness({ target: { preset: 'gemini', origin: 'https://chatgpt.com' } }),
      'target_mismatch',
      422,
      [{ path: 'browser_harness.target.preset' }],
    ],
    [
      'with another judge',
      withHarness({ judge: { ...JUDGE, prompt: 'Always say 1.' } }),
      'archive_invalid',
      422,
      [{ code: 'judge_mismatch' }],
    ],
    ['without the judge', withHarness({ judge: null }), 'archive_invalid', 422, [{ code: 'judge_mismatch' }]],
    ['without results', { ...capture, results: [] }, 'empty_capture', 422, []],
    [
      'with an item twice',
      { ...capture, results: [...capture.results, first] },
      'duplicate_items',
      422,
      [{ path: 'results[8]', item_id: 'free-1' }],
    ],
    [
      'with a strange item',
      withResult(0, { dataset_item_id: 'nope' }),
      'unknown_items',
      422,
      [{ path: 'results[0]', item_id: 'nope' }],
    ],
    [
      'with another prompt',
      withResult(0, { prompt_text: 'Which island? ' }),
      'prompt_mismatch',
      422,
      [{ path: 'results[0]', item_id: 'free-1' }],
    ],
  ])('%s', async (_, changed, code, status, issues) => {
    expect(await refusal(plan(changed))).toMatchObject({ code, status, issues });
  });

  test('when items of the pack changed or went, by name; also when only an answer changed', async () => {
    const changed = ITEMS.filter(({ id }) => id !== 'num-1').map((item) =>
      item.id === 'mcq-1' ? { ...item, answer: 'A' } : item,
    );
    expect(await refusal(plan(capture, datasetOf(changed)))).toMatchObject({
      code: 'dataset_changed',
      status: 409,
      message:
        'The dataset Sample is not the version that the pack was made of: 1 items of the pack were changed and 1 removed.',
      issues: [
        { code: 'changed', item_id: 'mcq-1' },
        { code: 'removed', item_id: 'num-1' },
      ],
    });
  });

  test('when the dataset grew, though no item of the pack changed', async () => {
    const [one] = ITEMS;
    if (!one) throw new Error('no items');
    expect(await refusal(plan(capture, datasetOf([...ITEMS, { ...one, id: 'new' }])))).toMatchObject({
      code: 'dataset_changed',
      issues: [],
    });
    expect(await refusal(plan(capture, datasetOf([...ITEMS].reverse())))).toMatchObject({ code: 'dataset_changed' });
  });

  test('when it is of another dataset', async () => {
    expect(await refusal(plan(capture, datasetOf(ITEMS, 'ds-2')))).toMatchObject({
      code: 'dataset_not_found',
      status: 404,
    });
  });

  test('a long list of issues is cut', async () => {
    const strange = Array.from({ length: 250 }, (_, index) => ({ ...first, dataset_item_id: `nope-${index}` }));
    const { issues } = await refusal(plan({ ...capture, results: strange }));
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)).toEqual({ path: '', code: 'more', message: '150 more are not listed.' });
  });
});
