/**
 * The archive of a backup: gzipped lines of JSON. A head, rows, artifacts in pieces, and an end that tells a whole archive
 * from one that was cut off. The same for both engines.
 */
import { z } from 'zod';

export const FORMAT = 'waymark.data.v1';

/** In an order in which every row finds what it refers to. */
export const TABLES = [
  'dataset',
  'dataset_item',
  'dataset_version',
  'provider',
  'key_binding',
  'pack',
  'schedule',
  'run',
  'run_work',
  'cell',
  'attempt',
  'attempt_event',
  'import',
  'idempotency_key',
  'grade',
  'further_grading',
  'run_log',
] as const;

export const headSchema = z.object({
  format: z.literal(FORMAT),
  /** Of the program that wrote it; for people. */
  version: z.string(),
  exported_at: z.iso.datetime(),
  /** The database's migrations, by hash: they say which tables the rows are of. */
  migrations: z.array(z.string()),
});

export const lineSchema = z.union([
  z.strictObject({ table: z.string(), row: z.record(z.string(), z.unknown()) }),
  z.strictObject({ artifact: z.string(), piece: z.base64() }),
  z.strictObject({ artifact: z.string(), sha256: z.string() }),
  z.strictObject({ end: z.object({ rows: z.int(), artifacts: z.int() }) }),
]);

export type ArchiveHead = z.infer<typeof headSchema>;
export type ArchiveLine = z.infer<typeof lineSchema>;
export type ArtifactLine = Extract<ArchiveLine, { artifact: string }>;
export type TableName = (typeof TABLES)[number];
/** A row of the archive as rows of today's tables; undefined where there is no such table. */
export type ReadRow = (table: string, row: Record<string, unknown>) => readonly TableRow[] | undefined;
export interface TableRow {
  table: TableName;
  row: Record<string, unknown>;
}

export interface BackupCounts {
  rows: number;
  artifacts: number;
}

export const isTable = (name: string): name is TableName => (TABLES as readonly string[]).includes(name);
