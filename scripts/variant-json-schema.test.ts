import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readVariant, variantFileSchema } from '../src/runs/index.ts';
import { variantJsonSchema } from './variant-json-schema.ts';

const file = new URL('../schemas/variant.schema.json', import.meta.url);

test('schemas/variant.schema.json is current (if not: node scripts/make-variant-schema.ts)', () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(variantJsonSchema())));
});

test.each([
  ['a whole variant', { agent: 'single', model: 'openai:gpt-5-mini', server: 'playwright', observe: 'both' }, true],
  ['a model with its address', { model: { kind: 'ollama', model: 'x', baseUrl: 'http://127.0.0.1:1/' } }, true],
  ['an unknown field', { colour: 'red' }, false],
  ['an unknown way to observe', { observe: 'ears' }, false],
  ['a key in the file', { model: { kind: 'openai', model: 'x', key: 'sk-1' } }, false],
])('agrees with the validator: %s', (_name, changes, ok) => {
  const variant = { format: 'waymark.variant.v1', ...changes };
  const schema = z.fromJSONSchema(variantJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse(variant).success).toBe(ok);
  expect(variantFileSchema.safeParse(variant).success).toBe(ok);
});

const examples = new URL('../variants/', import.meta.url);

test.each(readdirSync(examples))('variants/%s can be run', (name) => {
  expect(readVariant(new URL(name, examples).pathname)).toMatchObject({ variant: name.replace(/\.json$/, '') });
});
