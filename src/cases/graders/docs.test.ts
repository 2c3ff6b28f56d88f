import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GRADER_KINDS, type GraderSpec, graderSpecSchema } from './grader-spec.ts';

test('docs/reference/graders.md: the settings that it shows are valid', () => {
  const page = readFileSync(new URL('../../../docs/reference/graders.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']): unknown => JSON.parse(text));
  // Other objects on the page have a grader too; only settings name its kind.
  const kinds: readonly string[] = GRADER_KINDS;
  const specs = blocks.filter((block) => kinds.includes(Object(block).grader));
  expect(specs.map((spec) => graderSpecSchema.safeParse(spec).error?.message)).toEqual(specs.map(() => undefined));
  const shown = specs.map((spec) => (spec as GraderSpec).grader);
  expect(shown).toEqual(expect.arrayContaining(['trajectory', 'network', 'command', 'module']));
});
