import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MetricEvent } from './events.ts';
import { episodeTokens, loadTokenCounter, piecesOf, TOKEN_LIMITS, type TokenCounter } from './tokens.ts';

let counter: TokenCounter;
beforeAll(async () => {
  counter = await loadTokenCounter();
});

describe('counting', () => {
  it('is labelled an estimate', () => {
    expect(counter.encoding).toBe('o200k_base');
    expect(counter.count('hello world')).toEqual({ tokens: 2, estimate: true, extrapolated: false });
    expect(counter.count('').tokens).toBe(0);
  });

  it.each(['<|endoftext|>', '<|im_start|>system<|im_sep|>', '<|endofprompt|>', '\ud800 half a pair', '\u0000'])(
    'takes %j as text',
    (text) => {
      expect(counter.count(text).tokens).toBeGreaterThan(0);
    },
  );

  it('agrees with the tokenizer on texts with spaces, however long', () => {
    const text = fc
      .array(fc.string({ unit: fc.constantFrom(...'abcXYZ019.,\n-äß日🙂'), maxLength: 20 }), { maxLength: 400 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(text, (given) => {
        expect(counter.count(given).tokens).toBe(countTokens(given, { disallowedSpecial: new Set() }));
      }),
      { numRuns: 200 },
    );
  });

  it.each(['internationalization '.repeat(200), 'a  b\n'.repeat(300), '日本 '.repeat(500)])(
    'agrees on a long text, %#',
    (given) => {
      expect(counter.count(given).tokens).toBe(countTokens(given));
    },
  );

  it('cuts into short pieces, never through a character', () => {
    for (const given of ['🙂'.repeat(1000), `a${'🙂'.repeat(1000)}`, 'x'.repeat(1000), 'ab '.repeat(500)]) {
      const pieces = [...piecesOf(given)];
      expect(pieces.join('')).toBe(given);
      expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= TOKEN_LIMITS.piece)).toBe(true);
    }
  });

  it('is bounded in time and length for texts without breaks', () => {
    const run = '日'.repeat(TOKEN_LIMITS.text + 1);
    const { tokens, extrapolated } = counter.count(run);
    expect(extrapolated).toBe(true);
    // Two of these characters are one token; each piece may differ from the whole by one token.
    expect(Math.abs(tokens - run.length / 2)).toBeLessThan(run.length / TOKEN_LIMITS.piece + 2);
    expect(counter.count('🙂'.repeat(2000)).tokens).toBeGreaterThan(0);
  });
});

describe('episodeTokens', () => {
  it("counts the agent's calls and their results, not the harness's", () => {
    const events: MetricEvent[] = [
      { seq: 0, time: 0, type: 'tool_call', tool: 'navigate', arguments: { url: 'http://a.test/' }, by: 'harness' },
      { seq: 1, time: 0, type: 'tool_result', text: 'not the agent’s to read' },
      { seq: 2, time: 0, type: 'tool_call', tool: 'read_page', arguments: {} },
      { seq: 3, time: 0, type: 'tool_result', text: 'hello world' },
      { seq: 4, time: 0, type: 'tool_call', tool: 'read_page' },
      { seq: 5, time: 0, type: 'tool_result', text: 'hello world hello world' },
      { seq: 6, time: 0, type: 'tool_call', tool: 'read_page' },
      { seq: 7, time: 0, type: 'tool_result' },
    ];
    const { perCall, perObservation, ...label } = episodeTokens(events, counter);
    expect(label).toEqual({ estimate: true, encoding: 'o200k_base' });
    expect(perObservation).toEqual({ count: 2, total: 6, median: 3, max: 4 });
    expect(perCall.count).toBe(3);
    expect(perCall.total).toBe(3 * counter.count('read_page {}').tokens);
  });
});
