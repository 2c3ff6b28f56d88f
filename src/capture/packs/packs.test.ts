import { describe, expect, test } from 'vitest';
import { CANARIES, datasetOf, ITEMS, JUDGE, NOW, pack, request } from '../../../test/browser-harness/samples.ts';
import { itemSchema } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { findLeaks } from './find-leaks.ts';
import { packRequestSchema } from './pack-request.ts';

async function refusal(making: Promise<unknown>): Promise<WaymarkError> {
  const thrown = await making.catch((error: unknown) => error);
  if (!(thrown instanceof WaymarkError)) throw new Error('accepted');
  return thrown;
}

describe('a pack', () => {
  test('has exactly the fields of the format', async () => {
    const made = await pack();
    expect(made).toEqual({
      pack_id: 'pack-1',
      dataset: { id: 'ds-1', name: 'Sample', version_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      sections: ['text', 'choice', 'numbers', 'open'],
      items: ITEMS.map(({ id, section, prompt_text }, index) => ({ id, seq: index + 1, section, prompt_text })),
      excluded: [],
      scoring: { programmatic: 6, judge_required: 1, unscorable: 1 },
      dataset_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_at: '2026-03-08T12:00:00.000Z',
      warnings: [
        {
          code: 'unscorable',
          message: '1 items have neither answer nor criteria: they are captured, not scored.',
          item_ids: ['open-1'],
        },
      ],
    });
  });

  test('is narrowed by sections, ids and number', async () => {
    const ids = async (change: Record<string, unknown>): Promise<string[]> =>
      (await pack(change)).items.map(({ id }) => id);
    expect(await ids({ sections: ['choice'] })).toEqual(['mcq-1', 'mcq-2']);
    expect(await ids({ item_ids: ['num-1', 'free-1'] })).toEqual(['free-1', 'num-1']);
    expect(await ids({ sections: ['choice', 'numbers'], item_ids: ['num-1', 'mcq-1'] })).toEqual(['mcq-1', 'num-1']);
    const few = await pack({ max_items: 2 });
    expect(few.items).toHaveLength(2);
    expect(few.warnings).toContainEqual({
      code: 'max_items',
      message: '6 more items are in the scope; max_items leaves them out.',
    });
  });

  test('expires when it was asked to', async () => {
    expect((await pack({ ttl_s: 3600 })).expires_at).toBe('2026-03-01T13:00:00.000Z');
  });

  test('leaves out variations and items with pictures, and says why', async () => {
    const [first] = ITEMS;
    const extra = [
      { ...first, id: 'v', meta: { variation_of: 'free-1' } },
      { ...first, id: 'p', meta: { attachments: ['x.png'] } },
      { ...first, id: 'ok', meta: { attachments: [] } },
    ].map((item) => itemSchema.parse(item));
    const made = await pack({}, {}, datasetOf([...ITEMS, ...extra]));
    expect(made.excluded).toEqual([
      { id: 'v', reason: 'variation' },
      { id: 'p', reason: 'not_text' },
    ]);
    expect(made.items.map(({ id }) => id)).toContain('ok');
    expect(made.warnings.map(({ code }) => code)).toContain('items_excluded');
    const refused = await refusal(pack({ item_ids: ['v', 'p'] }, {}, datasetOf([...ITEMS, ...extra])));
    expect(refused).toMatchObject({
      code: 'pack_empty',
      issues: [{ code: 'variation', item_id: 'v' }, { item_id: 'p' }],
    });
  });

  test('warns about options that no prompt shows, and about a judge that is not needed', async () => {
    const blind = itemSchema.parse({
      id: 'x',
      type: 'mcq_single',
      prompt_text: 'Which?',
      choices: ['one', 'two'],
      answer: 'A',
    });
    const made = await pack({}, {}, datasetOf([blind]));
    expect(made.warnings).toEqual([
      { code: 'judge_unused', message: 'A judge is chosen, and no item of this pack needs one.' },
      {
        code: 'choices_not_in_prompt',
        message: "1 prompts don't show the options that they ask about.",
        item_ids: ['x'],
      },
    ]);
  });
});

describe('no pack is made', () => {
  test.each<[string, () => Promise<unknown>, string, number, unknown[]]>([
    [
      'without a judge that items need',
      () => pack({ judge: null }),
      'judge_required',
      422,
      [{ path: 'judge', item_id: 'judge-1' }],
    ],
    [
      'with a judge that is not there',
      () => pack({}, { judgeProvider: undefined }),
      'judge_provider_invalid',
      422,
      [{ path: 'judge.provider_id' }],
    ],
    [
      'with a judge that is a web page',
      () => pack({}, { judgeProvider: { id: JUDGE.provider_id, surface: 'browser' } }),
      'judge_provider_invalid',
      422,
      [{ path: 'judge.provider_id' }],
    ],
    [
      'with the provider of another judge',
      () => pack({}, { judgeProvider: { id: 'other', surface: 'api' } }),
      'judge_provider_invalid',
      422,
      [{}],
    ],
    [
      'with a judge without a model',
      () => pack({ judge: { ...JUDGE, model: ' ' } }),
      'judge_model_missing',
      422,
      [{ path: 'judge.model' }],
    ],
    [
      'of a section that is not there',
      () => pack({ sections: ['text', 'nope'] }),
      'scope_unsupported',
      422,
      [{ path: 'sections[1]', code: 'unknown_section' }],
    ],
    [
      'of an item that is not there',
      () => pack({ item_ids: ['nope'] }),
      'scope_unsupported',
      422,
      [{ path: 'item_ids[0]', item_id: 'nope' }],
    ],
    ['of variations', () => pack({ variation: { enabled: true } }), 'scope_unsupported', 422, [{ path: 'variation' }]],
    ['of nothing', () => pack({ sections: ['text'], item_ids: ['num-1'] }), 'pack_empty', 422, []],
    ['of an empty dataset', () => pack({ judge: null }, {}, datasetOf([])), 'pack_empty', 422, []],
    ['of another dataset', () => pack({ dataset_id: 'ds-9' }), 'dataset_not_found', 404, []],
  ])('%s', async (_, making, code, status, issues) => {
    expect(await refusal(making())).toMatchObject({ code, status, issues });
  });

  test('of more items than a token can carry', async () => {
    const [first] = ITEMS;
    const many = Array.from({ length: 10_001 }, (_, index) => itemSchema.parse({ ...first, id: `i${index}` }));
    expect(await refusal(pack({ judge: null }, {}, datasetOf(many)))).toMatchObject({
      code: 'scope_unsupported',
      issues: [{ path: 'max_items' }],
    });
    expect((await pack({ judge: null, max_items: 3 }, {}, datasetOf(many))).items).toHaveLength(3);
  });
});

test.each([
  ['a path', 'https://chatgpt.com/'],
  ['a script', 'javascript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
  ['a name in capitals', 'https://ChatGPT.com'],
  ['a default port', 'https://chatgpt.com:443'],
  ['a user', 'https://a@chatgpt.com'],
  ['nothing', ''],
])('an origin that is %s is refused', (_, origin) => {
  expect(packRequestSchema.safeParse({ dataset_id: 'a', target: { preset: 'custom', origin } }).success).toBe(false);
});

describe('the leak scan', () => {
  test('finds nothing in a pack', async () => {
    const made = await pack();
    expect(findLeaks(made, ITEMS)).toEqual([]);
    const text = JSON.stringify(made) + Buffer.from(made.dataset_token.split('.')[1] ?? '', 'base64url').toString();
    for (const canary of CANARIES) expect(text).not.toContain(canary);
    expect(text).not.toContain('0.015625');
  });

  test.each<[string, unknown]>([
    ['an answer', { items: [{ note: 'Zanzibar-canary-1' }] }],
    ['an answer inside a sentence', { label: 'It is quokka-canary-2, of course' }],
    ['a pattern', ['canary-[0-9]+-3']],
    ['a pattern inside a script', `var x = ${JSON.stringify('canary-[0-9]+-3')};`],
    ['criteria', { x: { y: ['canary four criteria'] } }],
    ['a number as text', { x: '271828.1828' }],
    ['a tolerance', { x: '0.015625' }],
    ['an answer in base64', { x: Buffer.from('the answer: Zanzibar-canary-1').toString('base64url') }],
    ['an answer in a token', { x: `aaaa.${Buffer.from('{"a":"Zanzibar-canary-1"}').toString('base64url')}.bbbb` }],
    ['a short answer as a value', { x: 'B' }],
    ['a short answer in a token', { x: `aaaa.${Buffer.from('{"guess":"B","n":12345}').toString('base64url')}.bbbb` }],
    ['a field of that name', { items: [{ id: 'a', answer: null }] }],
    ['a checker', { items: [{ id: 'a', checker: {} }] }],
  ])('finds %s', (_, leaving) => {
    expect(findLeaks(leaving, ITEMS).length).toBeGreaterThan(0);
  });

  test('leaves prompts alone, which show options', () => {
    expect(findLeaks({ items: ITEMS.map(({ prompt_text }) => ({ prompt_text })) }, ITEMS)).toEqual([]);
  });
});

test('a request is asked for as written', () => {
  expect(request().target).toEqual({ preset: 'chatgpt', origin: 'https://chatgpt.com' });
  expect(NOW.toISOString()).toBe('2026-03-01T12:00:00.000Z');
  expect(packRequestSchema.safeParse({ ...request(), surprise: 1 }).success).toBe(false);
});
