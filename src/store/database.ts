/** One type for both engines: what is written against it runs on PGlite and on a PostgreSQL server alike. */
import type { ExtractTablesWithRelations } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import type * as schema from './schema/index.ts';

/** Raw SQL gives rows; that is all that the two drivers' results have in common. */
export interface RowsResult extends PgQueryResultHKT {
  type: Rows<this['row']>;
}

interface Rows<T> {
  rows: T[];
}

export type Schema = typeof schema;
export type Database = PgDatabase<RowsResult, Schema>;
export type Transaction = PgTransaction<RowsResult, Schema, ExtractTablesWithRelations<Schema>>;
/** Inside a transaction or outside of one. */
export type Queryable = Database | Transaction;

export type Engine = 'pglite' | 'postgres';
