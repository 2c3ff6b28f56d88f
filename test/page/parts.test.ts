import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customSelectors } from '../../fixtures/chat/pages.ts';
import { pacer } from '../../page/runtime/pace.ts';
import { readPack } from '../../page/runtime/read-pack.ts';
import { crc32, zip } from '../../page/runtime/zip.ts';
import {
  DEFAULT_SETTINGS,
  PACK_FORMAT,
  packForPage,
  presets,
  type RuntimePack,
  validateSelectors,
} from '../../src/capture/formats.ts';
import { readZip } from './read-zip.ts';

describe('the ZIP writer', () => {
  test('writes archives that an independent reader can read', () => {
    const names = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        names,
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        fc.date({ min: new Date(0), noInvalidDate: true }),
        (list, text, at) => {
          const bytes = Buffer.from(
            zip(
              list.map((name) => ({ name, text: `${name}${text}` })),
              at,
            ),
          );
          expect([...readZip(bytes)]).toEqual(list.map((name) => [name, `${name}${text}`]));
        },
      ),
    );
  });

  test('computes the standard CRC', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
  });

  test('is checked by a reader that sees a single flipped bit', () => {
    const bytes = Buffer.from(zip([{ name: 'a.txt', text: 'hello' }], new Date(0)));
    const letter = bytes.indexOf('hello') + 1;
    bytes[letter] = (bytes[letter] ?? 0) ^ 1;
    expect(() => readZip(bytes)).toThrow('CRC of a.txt');
  });
});

describe('presets', () => {
  test.each(['chatgpt', 'gemini'] as const)('%s is dated and passes the check of selectors', (name) => {
    const preset = presets[name];
    expect(validateSelectors(preset.selectors)).toEqual([]);
    expect(preset.seen_on).toMatch(/^\d{4}-\d{2}$/);
    expect(preset.revision).toBe(`${name}.${preset.seen_on}`);
    expect(new URL(preset.origin ?? '').origin).toBe(preset.origin);
  });

  test('both layouts of ChatGPT are covered', () => {
    const { composer, send, busy, assistant_turn, done } = presets.chatgpt.selectors;
    for (const list of [composer, send, busy, assistant_turn, done]) expect(list.length).toBeGreaterThan(1);
  });
});

describe('custom selectors', () => {
  test('that are complete are accepted, with a busy mark or a quiet time', () => {
    expect(validateSelectors(customSelectors)).toEqual([]);
    expect(validateSelectors({ ...customSelectors, busy: [] }, { quiet_ms: 3000 })).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ['nothing at all', null, ['selectors not_a_list']],
    ['no roles', {}, ['composer missing', 'send missing', 'assistant_turn missing', 'busy missing']],
    ['no way to know the end', { ...customSelectors, busy: [] }, ['busy missing']],
    ['a text for a list', { ...customSelectors, send: 'button' }, ['send not_a_list', 'send missing']],
    ['an unknown role', { ...customSelectors, sned: ['button'] }, ['sned unknown_role']],
    ['an empty selector', { ...customSelectors, send: ['  '] }, ['send[0] empty']],
    ['no text', { ...customSelectors, send: ['a', 7] }, ['send[1] empty']],
    ['an open bracket', { ...customSelectors, send: ['a[href'] }, ['send[0] unbalanced']],
    ['an open quote', { ...customSelectors, send: ['a[href="x]'] }, ['send[0] unbalanced']],
    ['crossed brackets', { ...customSelectors, send: ['a:is([href)]'] }, ['send[0] unbalanced']],
    ['a rule', { ...customSelectors, send: ['a { color: red }'] }, ['send[0] unsafe']],
    ['markup', { ...customSelectors, send: ['<script>'] }, ['send[0] unsafe']],
    ['a very long one', { ...customSelectors, send: ['a'.repeat(501)] }, ['send[0] too_long']],
    ['too many', { ...customSelectors, send: Array.from({ length: 11 }, () => 'a') }, ['send too_many']],
  ])('%s', (_name, selectors, issues) => {
    const found = validateSelectors(selectors).map(({ path, code }) => `${path.replace('selectors.', '')} ${code}`);
    expect(found).toEqual(issues);
  });

  test('brackets inside quotes are text', () => {
    expect(validateSelectors({ ...customSelectors, send: ['a[title="{(<;"]', `b[title='"]']`] })).toEqual([]);
  });
});

describe('the pace', () => {
  test('stays around its mean, and a seed repeats it', () => {
    const settings = { ...DEFAULT_SETTINGS, pace_ms: 1000, jitter: 0.3, seed: 7 };
    const pauses = Array.from({ length: 200 }, pacer(settings));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(700);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1300);
    expect(new Set(pauses).size).toBeGreaterThan(190);
    expect(Array.from({ length: 200 }, pacer(settings))).toEqual(pauses);
    expect(Array.from({ length: 200 }, pacer({ ...settings, seed: 8 }))).not.toEqual(pauses);
  });
});

describe('a pack from a file', () => {
  const pack: RuntimePack = packForPage({
    format: PACK_FORMAT,
    pack_id: 'p',
    dataset_token: 't',
    expires_at: '2030-01-01T00:00:00Z',
    label: 'l',
    target: { preset: 'custom', origin: 'https://example.com', display_name: 'd' },
    judge: null,
    items: [{ id: 'i', prompt_text: 'p' }],
    preset_revision: 'custom',
    selectors: customSelectors,
    notices: [],
    settings: { quiet_ms: 1 },
  });

  test('is accepted when it is complete', () => expect(readPack(pack)).toBe(pack));

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['another format', { ...pack, format: 'eval752.browser_harness.v1' }],
    ['no token', { ...pack, dataset_token: undefined }],
    ['no target', { ...pack, target: null }],
    ['an origin that is no text', { ...pack, target: { ...pack.target, origin: 1 } }],
    ['items that are no list', { ...pack, items: {} }],
    ['an item without a prompt', { ...pack, items: [{ id: 'i' }] }],
    ['a role missing', { ...pack, selectors: { ...pack.selectors, send: undefined } }],
    ['a selector that is no text', { ...pack, selectors: { ...pack.selectors, send: [1] } }],
    ['a setting that is not a number', { ...pack, settings: { quiet_ms: '1' } }],
    ['a judge that is a text', { ...pack, judge: 'gpt' }],
  ])('is refused with %s', (_name, value) => expect(readPack(value)).toBeUndefined());
});
