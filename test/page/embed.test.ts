import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bookmarklet,
  bookmarkletLength,
  bookmarkletLoader,
  MAX_BOOKMARKLET,
  PACK_FORMAT,
  packFile,
  packForPage,
  presets,
  type RuntimePack,
  rawScript,
} from '../../src/capture/formats.ts';

// A runtime that only passes on its input.
const runtime = '__WAYMARK_PACK__=>{got=__WAYMARK_PACK__}';

function packOf(...prompts: string[]): RuntimePack {
  return {
    format: PACK_FORMAT,
    pack_id: 'p',
    dataset_token: 't',
    expires_at: '2030-01-01T00:00:00Z',
    label: prompts[0] ?? '',
    target: { preset: 'chatgpt', origin: 'https://chatgpt.com', display_name: 'ChatGPT Web' },
    judge: null,
    items: prompts.map((prompt_text, index) => ({ id: `i${index}`, prompt_text })),
    preset_revision: presets.chatgpt.revision,
    selectors: presets.chatgpt.selectors,
    notices: presets.chatgpt.notices,
    settings: {},
  };
}

function run(script: string): unknown {
  const world: { got?: unknown } = {};
  runInNewContext(script, world);
  return JSON.parse(JSON.stringify(world.got));
}

/** How a browser reads a URL: the URL parser, then percent-decoding. */
function runAddress(address: string): unknown {
  const { href, hash } = new URL(address);
  expect([hash, href.slice(0, 11)]).toEqual(['', 'javascript:']);
  return run(decodeURIComponent(href.slice('javascript:'.length)));
}

const hostile = [
  '</script><!--',
  '\u2028\u2029\0\r\n\t',
  '%41 %% %zz',
  `'"\`\${x}\\`,
  '#a?b',
  '🧭日本é',
  ' ends in spaces  ',
];

describe('embedded text arrives unchanged', () => {
  test.each(hostile)('%j', (text) => {
    const pack = packOf(text);
    expect(run(rawScript(pack, runtime))).toEqual(pack);
    expect(runAddress(bookmarklet(pack, runtime) ?? '')).toEqual(pack);
    expect(JSON.parse(packFile(pack))).toEqual(pack);
  });

  test('any text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (prompts) => {
        const pack = packOf(...prompts);
        expect(run(rawScript(pack, runtime))).toEqual(pack);
        expect(runAddress(bookmarklet(pack, runtime) ?? '')).toEqual(pack);
      }),
      { numRuns: 300 },
    );
  });

  test('and is safe inside HTML and in any encoding', () => {
    const pack = packOf(...hostile);
    expect(rawScript(pack, runtime)).toMatch(/^[\n -~]*$/);
    expect(rawScript(pack, runtime)).not.toContain('<');
    expect(bookmarklet(pack, runtime)).toMatch(/^javascript:[!-~]*$/);
    expect(bookmarklet(pack, runtime)).not.toMatch(/["<>#]/);
  });
});

describe('the length of a bookmarklet', () => {
  test('ends at 60,000 characters, where the loader takes over', () => {
    const spare = MAX_BOOKMARKLET - bookmarkletLength(packOf(''), runtime);
    // The prompt is in the pack twice: as an item and as the label.
    const full = packOf('x'.repeat(Math.floor(spare / 2)));
    expect(bookmarklet(full, runtime)?.length).toBeGreaterThan(MAX_BOOKMARKLET - 2);
    const over = packOf('x'.repeat(Math.floor(spare / 2) + 1));
    expect(bookmarkletLength(over, runtime)).toBeGreaterThan(MAX_BOOKMARKLET);
    expect(bookmarklet(over, runtime)).toBeUndefined();
    expect(runAddress(bookmarkletLoader(runtime))).toBe(null);
  });
});

test('additional fields of a pack reach no page', () => {
  const pack = packOf('What is 2 + 2?');
  const leaky = {
    ...pack,
    answers: ['SECRET'],
    items: pack.items.map((item) => ({ ...item, answer: 'SECRET', checker: { pattern: 'SECRET' } })),
    target: { ...pack.target, note: 'SECRET' },
  };
  expect(packForPage(leaky)).toEqual(pack);
  for (const text of [rawScript(leaky, runtime), bookmarklet(leaky, runtime), packFile(leaky)]) {
    expect(text).toContain('2 + 2'.replaceAll(' ', text?.startsWith('javascript:') ? '%20' : ' '));
    expect(text).not.toContain('SECRET');
  }
});
