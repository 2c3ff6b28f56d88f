import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as metrics from './index.ts';

/** Each `@example` of the sources, run with the module's exports in scope: `expression; // => value` holds. */
const folder = new URL('./', import.meta.url);
const examples = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return [...text.matchAll(/@example\n(.*?)\n \*\//gs)].map(
      (match) => [name, (match[1] ?? '').replaceAll(/^ \* ?/gm, '')] as const,
    );
  });

describe('examples in the sources', () => {
  it('are there', () => {
    expect(examples.length).toBeGreaterThanOrEqual(15);
  });

  it.each(examples)('of %s', async (_name, example) => {
    const code = example.replaceAll(/^(.+);\s*\/\/ => (.+)$/gm, 'expect($1).toEqual($2);');
    expect(code).toContain('.toEqual(');
    const names = Object.keys(metrics);
    const body = new Function('expect', ...names, `return (async () => {${code}})()`);
    await body(expect, ...names.map((name) => Reflect.get(metrics, name)));
  });
});
