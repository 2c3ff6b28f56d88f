import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { JsonList } from './json-list.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-json-list-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [[]],
  [[{ a: 1 }]],
  [[{ text: 'a line\nand \u2028 another', deep: [{ x: [] }] }, 'text', null, [1, 2]]],
  [Array.from({ length: 5_000 }, (_, index) => ({ index, text: 'ü'.repeat(100) }))],
])('gives the bytes of JSON.stringify', (entries: unknown[]) => {
  const head = { format: 'test', summary: { of: entries.length } };
  using list = new JsonList(path.join(folder, 'list.new'));
  for (const entry of entries) list.add(entry);
  const bytes = Buffer.concat([...list.pieces(head, 'entries')].map((piece) => Buffer.from(piece)));
  expect(bytes.toString()).toBe(`${JSON.stringify({ ...head, entries }, null, 2)}\n`);
});

test('leaves no file behind', () => {
  expect(readdirSync(folder)).toEqual([]);
});
