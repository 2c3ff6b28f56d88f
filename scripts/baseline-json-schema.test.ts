import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { baselineSchema } from '../src/runs/index.ts';
import { baselineJsonSchema } from './baseline-json-schema.ts';

const at = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('schemas/baseline.schema.json is current (if not: node scripts/make-baseline-schema.ts)', () => {
  expect(JSON.parse(at('schemas/baseline.schema.json'))).toEqual(JSON.parse(JSON.stringify(baselineJsonSchema())));
});

test('the file of docs/reference/baseline.md is a baseline, shows every field, and the table explains each', () => {
  const page = at('docs/reference/baseline.md');
  const shown: unknown = JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
  expect(baselineSchema.safeParse(shown).error).toBeUndefined();
  const schema = z.fromJSONSchema(baselineJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse(shown).success).toBe(true);
  expect(schema.safeParse({ ...Object(shown), colour: 'red' }).success).toBe(false);
  const { cases, trials } = baselineSchema.shape;
  const fields = [
    ...Object.keys(baselineSchema.shape),
    ...Object.keys(cases.element.shape),
    ...Object.keys(trials.element.shape),
  ];
  for (const field of fields)
    expect(page).toMatch(new RegExp(`^\\|[^|]*\`(\\w+\\.)?${field.replace('$', '\\$')}\``, 'm'));
});
