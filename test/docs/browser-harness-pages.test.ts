import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { apiPage } from '../../scripts/api-page.ts';
import { browserHarnessSchema, manifestSchema, resultSchema } from '../../src/capture/archive/capture-schema.ts';
import { ITEM_ERROR_CODES, PACK_FORMAT } from '../../src/capture/formats.ts';
import { MAX_TTL_S, packRequestSchema } from '../../src/capture/index.ts';
import { claimsSchema } from '../../src/capture/tokens/claims.ts';
import { MAX_PACK_ITEMS } from '../../src/cases/index.ts';
import type { ErrorCode } from '../../src/errors/index.ts';
import { captureOf, pack } from '../browser-harness/samples.ts';
import { brokenLinks } from './typed-page.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');
const read = (name: string) => readFileSync(path.join(docs, name), 'utf8');
/** Names in the first column of tables, without the part before their last dot. */
const named = (page: string): string[] =>
  [...page.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/^.*\./, '')),
  );
const missing = (page: string, names: readonly string[]) => names.filter((name) => !named(page).includes(name));

test('docs/reference/api.md is current (if not: node scripts/make-api-page.ts)', async () => {
  expect(read('reference/api.md')).toBe(await apiPage());
});

test('docs/reference/pack.md explains every field of request, pack and token, and the actual limits', async () => {
  const page = read('reference/pack.md');
  const { variation: _, target, ...fields } = packRequestSchema.shape;
  expect(missing(page, [...Object.keys(fields), ...Object.keys(target.shape)])).toEqual([]);
  expect(missing(page, Object.keys(await pack()))).toEqual([]);
  expect(missing(page, Object.keys(claimsSchema.shape))).toEqual([]);
  expect(page).toContain(MAX_PACK_ITEMS.toLocaleString('en'));
  expect(page).toContain(MAX_TTL_S.toLocaleString('en'));
  expect(page).toContain(PACK_FORMAT);
});

test('docs/reference/capture-zip.md explains every field, error and refusal of a capture, and its example is valid', async () => {
  const page = read('reference/capture-zip.md');
  for (const schema of [manifestSchema, browserHarnessSchema, resultSchema]) {
    expect(missing(page, Object.keys(schema.shape))).toEqual([]);
  }
  const example: unknown = JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
  expect(resultSchema.safeParse(example).success).toBe(true);
  expect(Object.keys(Object(example))).toEqual(Object.keys(captureOf(await pack()).results[0] ?? {}));
  expect(ITEM_ERROR_CODES.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  const onImports: ErrorCode[] = [
    'token_missing',
    'token_malformed',
    'token_invalid',
    'token_expired',
    'archive_invalid',
    'archive_unsafe',
    'target_mismatch',
    'unknown_items',
    'duplicate_items',
    'prompt_mismatch',
  ];
  expect(onImports.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test.each([
  'tutorial/score-a-chat-page.md',
  'how-to/own-chat-page.md',
  'how-to/use-a-judge.md',
  'how-to/use-postgresql.md',
  'how-to/back-up-and-restore.md',
  'reference/api.md',
  'reference/pack.md',
  'reference/capture-zip.md',
  'explanation/what-a-signed-pack-proves.md',
])('docs/%s links to files and headings that exist', (name) => {
  expect(brokenLinks(path.join(docs, name))).toEqual([]);
});
