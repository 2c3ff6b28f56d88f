/** Where data is kept: the same flags for every command that opens it. */
import path from 'node:path';
import type { Flag } from './command.ts';
import type { Terminal } from './terminal.ts';

const DEFAULT_DATA = path.join('.waymark', 'data');

export const storeFlags = {
  data: { type: 'string', value: '<folder>', about: `where data is kept (${DEFAULT_DATA})` },
  database: {
    type: 'string',
    value: '<postgres://…|env>',
    about: 'a PostgreSQL server instead; the folder then keeps only artifacts. env: the address is in DATABASE_URL',
  },
} as const satisfies Record<string, Flag>;

export interface StorePlaces {
  data: string;
  artifacts: string;
  /** For `openStore`. */
  store: { data: string } | { database: string };
}

export function storePlaces(flags: { data?: string; database?: string }, terminal: Terminal): StorePlaces {
  const data = path.resolve(terminal.cwd, flags.data ?? DEFAULT_DATA);
  // By name: an address on the command line shows its password to everybody on the machine.
  const database = flags.database === 'env' ? (terminal.env['DATABASE_URL'] ?? '') : flags.database;
  return { data, artifacts: path.join(data, 'artifacts'), store: database === undefined ? { data } : { database } };
}
