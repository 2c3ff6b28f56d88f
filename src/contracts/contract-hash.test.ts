import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contractHash } from './contract-hash.ts';
import { parseContract } from './parse-contract.ts';
import type { Contract } from './schema.ts';

test('is SHA-256 over the canonical JSON', () => {
  const contract: Contract = { selector: 'é', op: 'eq', kind: 'dom_count', value: 0 };
  const canonical = '{"kind":"dom_count","op":"eq","selector":"é","value":0}';
  expect(contractHash(contract)).toBe(createHash('sha256').update(canonical, 'utf8').digest('hex'));
});

test('does not depend on the order of fields, but on the order of children', () => {
  const [a, b]: Contract[] = [{ kind: 'no_dialog' }, { kind: 'url', pattern: 'x' }];
  const parsed = parseContract(JSON.parse('{ "pattern": "x",  "kind": "url" }'));
  expect(parsed.ok && contractHash(parsed.contract)).toBe(contractHash({ kind: 'url', pattern: 'x' }));
  if (a && b)
    expect(contractHash({ kind: 'and', children: [a, b] })).not.toBe(contractHash({ kind: 'and', children: [b, a] }));
});
