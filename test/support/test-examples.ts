/** Each `@example` of a module's sources as a test, run with the module's exports in scope: `expression; // => value` holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** `atLeast`: an example that is not recognised would not be run. */
export function testExamples(folder: URL, exported: object, atLeast: number): void {
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
      expect(examples.length).toBeGreaterThanOrEqual(atLeast);
    });

    it.each(examples)('of %s', async (_name, example) => {
      const code = example.replaceAll(/^(.+);\s*\/\/ => (.+)$/gm, 'expect($1).toEqual($2);');
      expect(code).toContain('.toEqual(');
      const names = Object.keys(exported);
      const body = new Function('expect', ...names, `return (async () => {${code}})()`);
      await body(expect, ...names.map((name) => Reflect.get(exported, name)));
    });
  });
}
