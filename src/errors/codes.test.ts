import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CODES, type CodeEntry, FAULTS, isErrorCode } from './codes.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const sources = ['src', 'fixtures'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'errors/codes.ts')
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8')),
);
const written = new Set(sources.flatMap((text) => [...text.matchAll(/'([a-z_]+)'/g)].map(([, word]) => word)));
/** `notFound` puts these together. */
for (const what of ['run', 'import', 'provider', 'schedule']) written.add(`${what}_not_found`);

const entries: [string, CodeEntry][] = Object.entries(CODES);

/** In the table before the sources that throw them. */
const PLANNED = ['executor_unsupported'];

test('every code is used in the sources', () => {
  expect(entries.filter(([code]) => !written.has(code) && !PLANNED.includes(code)).map(([code]) => code)).toEqual([]);
});

test('every code has a fault and a sentence; only refusals have a status of their own', () => {
  for (const [code, { fault, when, status }] of entries) {
    expect(FAULTS, code).toContain(fault);
    expect(when, code).toMatch(/^[A-Z`].+\.$/);
    if (status !== undefined) expect(fault, code).toBe('usage');
  }
});

test('a code from outside is recognised only when it is in the table', () => {
  expect(isErrorCode('run_not_found')).toBe(true);
  expect(isErrorCode('toString')).toBe(false);
});

test('the statuses of the interchange format are as its specification lists them', () => {
  const fixed = {
    token_missing: 400,
    token_malformed: 400,
    token_invalid: 401,
    token_expired: 410,
    dataset_not_found: 404,
    dataset_changed: 409,
    target_mismatch: 422,
    payload_too_large: 413,
    unsupported_media: 415,
    archive_invalid: 422,
    archive_unsafe: 422,
    unknown_items: 422,
    duplicate_items: 422,
    prompt_mismatch: 422,
    empty_capture: 422,
    idempotency_key_reused: 422,
  } as const;
  expect(Object.fromEntries(Object.keys(fixed).map((code) => [code, Reflect.get(CODES, code).status]))).toEqual(fixed);
});
