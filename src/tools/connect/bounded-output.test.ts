import { describe, expect, test } from 'vitest';
import { BoundedOutput, OUTPUT_LIMITS } from './bounded-output.ts';

describe('the output that is kept', () => {
  const keep = (pieces: readonly string[], redact = (text: string): string => text) => {
    const lines: string[] = [];
    const output = new BoundedOutput({ redact, onLine: (line) => lines.push(line) });
    for (const piece of pieces) output.add(Buffer.from(piece));
    output.end();
    return { output, lines };
  };

  test('is made of lines, however they arrive', () => {
    const { output, lines } = keep(['on', 'e\ntw', 'o\nthree']);
    expect(lines).toEqual(['one', 'two', 'three']);
    expect(output.text).toBe('one\ntwo\nthree\n');
    expect(output.lastLines(2)).toBe('two\nthree');
  });

  test('has its beginning and its end, and says how much is missing', () => {
    const { output } = keep(Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`));
    expect(output.text.startsWith('line 0\n')).toBe(true);
    expect(output.text.endsWith('line 99999\n')).toBe(true);
    expect(output.text).toMatch(/\n… \(\d+ characters are not kept\)\n/);
    expect(output.text.length).toBeLessThan(OUTPUT_LIMITS.head + OUTPUT_LIMITS.tail + 100);
  });

  test('drops the rest of a long line, and takes out what is secret before it is read', () => {
    const { output, lines } = keep([`${'x'.repeat(OUTPUT_LIMITS.line + 5)}\nkey`], (text) =>
      text.replace('key', '***'),
    );
    expect(output.text).toContain('x… (cut: 5 characters)\n');
    expect(lines.at(-1)).toBe('***');
  });
});
