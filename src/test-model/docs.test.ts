import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FAULT_NAMES, FAULTS } from './faults.ts';
import { POLICIES } from './policies/index.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/reference/test-model.md'), 'utf8');

test('the page lists every fault, with what happens', () => {
  for (const name of FAULT_NAMES) expect(page).toContain(`| \`${name}\` | ${FAULTS[name].about} |`);
});

test('the page lists every policy', () => {
  for (const name of Object.keys(POLICIES)) expect(page).toContain(`\`${name}\``);
});
