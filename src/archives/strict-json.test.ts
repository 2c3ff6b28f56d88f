import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonRefusal, parseJson } from './strict-json.ts';

function ruleOf(text: string, depth?: number): string {
  try {
    parseJson(text, depth);
    return 'accepted';
  } catch (thrown) {
    if (!(thrown instanceof JsonRefusal)) throw thrown;
    return thrown.rule;
  }
}

describe('strict JSON', () => {
  test.each([
    ['{}', 'accepted'],
    ['{"a":1,"b":{"a":2}}', 'accepted'],
    ['[{"a":1},{"a":2}]', 'accepted'],
    ['{"a":"a","b":"a"}', 'accepted'],
    ['{"a":"b\\":","b":1}', 'accepted'],
    ['{"a\\\\":1,"a":2}', 'accepted'],
    ['{"constructor":1,"toString":2}', 'accepted'],
    ['{"a":1,"a":2}', 'duplicate_key'],
    ['{"a":1,"\\u0061":2}', 'duplicate_key'],
    ['{"a":1,"b":[{}],"a"  :2}', 'duplicate_key'],
    ['{"x":{"a":1,"a":2}}', 'duplicate_key'],
    ['{"__proto__":{"isAdmin":true}}', 'unsafe_key'],
    ['{"\\u005f_proto__":1}', 'unsafe_key'],
    ['{"a\\ud800":1}', 'unsafe_key'],
    ['{"a\\u0000":1}', 'unsafe_key'],
    ['{"a":1,}', 'json'],
    ["{'a':1}", 'json'],
    ['{"a', 'json'],
    ['{"a\\', 'json'],
    ['NaN', 'json'],
    ['', 'json'],
    ['{"a":1} {"b":2}', 'json'],
    ['\uFEFF{}', 'json'],
    ['{"a\nb":1}', 'json'],
  ])('%j: %s', (text, expected) => {
    expect(ruleOf(text)).toBe(expected);
  });

  test('may be nested up to the limit and no deeper', () => {
    expect(ruleOf('['.repeat(4) + ']'.repeat(4), 4)).toBe('accepted');
    expect(ruleOf('['.repeat(5) + ']'.repeat(5), 4)).toBe('depth');
    expect(ruleOf('{"a":'.repeat(1_000_000))).toBe('depth');
    expect(ruleOf(JSON.stringify(['[[[[[[[[']), 1)).toBe('accepted');
  });

  test('gives the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|\\u0000|\\ud[89a-f]/i.test(text));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('never accepts what JSON.parse refuses, and throws nothing but refusals', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ') }),
        (text) => {
          if (ruleOf(text) === 'accepted') expect(() => JSON.parse(text)).not.toThrow();
        },
      ),
    );
  });
});
