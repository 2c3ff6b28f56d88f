/** Flags for the location of the data, shared by every command that opens it. */
import path from 'node:path';
import { isS3Address } from '../store/index.ts';
import type { Flag } from './command.ts';
import type { Terminal } from './terminal.ts';

const DEFAULT_DATA = path.join('.waymark', 'data');

export const storeFlags = {
  data: { type: 'string', value: '<folder>', about: `the folder for data (${DEFAULT_DATA})` },
  database: {
    type: 'string',
    value: '<postgres://…|env>',
    about: 'use a PostgreSQL server; the folder then keeps only artifacts. env: take the URL from DATABASE_URL',
  },
  artifacts: {
    type: 'string',
    value: '<folder|s3://…>',
    about:
      'where to keep large files: another folder, or s3://bucket/prefix?endpoint=…&region=… with the usual AWS environment variables (artifacts in the data folder)',
  },
} as const satisfies Record<string, Flag>;

export interface StorePlaces {
  data: string;
  /** For `openArtifacts`. */
  artifacts: string;
  /** For `openStore`. */
  store: { data: string } | { database: string };
}

interface PlaceFlags {
  data?: string;
  database?: string;
  artifacts?: string;
}

export function storePlaces(flags: PlaceFlags, terminal: Terminal): StorePlaces {
  const data = path.resolve(terminal.cwd, flags.data ?? DEFAULT_DATA);
  // `env` exists because other users of the machine can read a password in a command line.
  const database = flags.database === 'env' ? (terminal.env['DATABASE_URL'] ?? '') : flags.database;
  const { artifacts = path.join(data, 'artifacts') } = flags;
  return {
    data,
    artifacts: isS3Address(artifacts) ? artifacts : path.resolve(terminal.cwd, artifacts),
    store: database === undefined ? { data } : { database },
  };
}
