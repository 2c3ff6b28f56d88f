import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as schema from './index.ts';

const tables = Object.values<unknown>(schema).filter((value): value is PgTable => is(value, PgTable));
const columns = tables.flatMap((table) => Object.values(getTableColumns(table)));

test('every column of text makes what it is given storable', () => {
  const texts = columns.filter((column) => column.getSQLType() === 'text');
  expect(texts.length).toBeGreaterThan(50);
  for (const column of texts) {
    expect(column.mapToDriverValue('a\0b \ud83d 😀'), column.name).toBe('a\uFFFDb \uFFFD 😀');
  }
});

test('every column of JSON does so at any depth, and leaves escapes that are text as they are', () => {
  const values = columns.filter((column) => column.getSQLType() === 'jsonb');
  expect(values.length).toBeGreaterThan(10);
  for (const column of values) {
    const stored = column.mapToDriverValue({ 'n\0': ['x\0', { half: '\ude00' }], text: '\\u0000', whole: '😀' });
    expect(JSON.parse(String(stored)), column.name).toEqual({
      'n\uFFFD': ['x\uFFFD', { half: '\uFFFD' }],
      text: '\\u0000',
      whole: '😀',
    });
  }
});
