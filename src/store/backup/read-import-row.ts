/** A row of an archive as rows of today's tables. Up to migration 6, an import had a key of its own and was the only one of its run. */
import type { TableName, TableRow } from './archive.ts';

export function rowsOf(table: TableName, row: Record<string, unknown>): readonly TableRow[] {
  if (table !== 'import') return [{ table, row }];
  const { idempotency_key: key, ...rest } = row;
  const imported = { table, row: { part: 1, ...rest } };
  if (typeof key !== 'string') return [imported];
  const { id, payload_sha256, run_id, created_at } = rest;
  const kept = {
    operation: 'import',
    key,
    request_hash: payload_sha256,
    run_id,
    answer: { import_id: id },
    created_at,
  };
  return [imported, { table: 'idempotency_key', row: kept }];
}
