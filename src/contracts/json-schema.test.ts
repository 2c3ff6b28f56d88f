import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractJsonSchema } from './json-schema.ts';
import { KINDS } from './schema.ts';

test('schemas/contract.schema.json is current (if not: node scripts/make-contract-schema.ts)', () => {
  const file = readFileSync(new URL('../../schemas/contract.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(contractJsonSchema())));
});

test('has every kind, closed to unknown fields', () => {
  const { oneOf } = contractJsonSchema() as {
    oneOf: { properties: { kind: { const: string } }; additionalProperties: boolean }[];
  };
  expect(oneOf.map((kind) => kind.properties.kind.const)).toEqual(KINDS);
  expect(oneOf.every((kind) => kind.additionalProperties === false)).toBe(true);
});
