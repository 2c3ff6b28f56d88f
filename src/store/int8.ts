/**
 * `count(*)` and other 64-bit integers. node-postgres gives strings and PGlite numbers; here both give a number, and beyond
 * what a number can hold exactly, a bigint.
 */
import pg from 'pg';

const INT8 = 20;

function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Global to node-postgres, because drizzle asks its global table and not the pool's. */
export function useInt8Parser(): void {
  pg.types.setTypeParser(INT8, parseInt8);
}

export const pgliteParsers = { [INT8]: parseInt8 };
