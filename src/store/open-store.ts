/**
 * Opens the store: a folder, or a server.
 * @example
 * await using store = await openStore({ data: '.waymark/data' });
 * await using shared = await openStore({ database: 'postgres://waymark@db.example/waymark' });
 */
import { WaymarkError } from '../errors/index.ts';
import type { PgliteOptions } from './open-pglite.ts';
import type { PostgresOptions } from './open-postgres.ts';
import type { Store } from './store.ts';

export type StoreOptions = ({ data: string } & PgliteOptions) | ({ database: string } & PostgresOptions);

export async function openStore(options: StoreOptions): Promise<Store> {
  if ('database' in options) {
    const { database, ...rest } = options;
    if (!/^postgres(ql)?:\/\//.test(database)) {
      throw new WaymarkError({
        code: 'usage_database_address',
        message: 'The address of a database begins with postgres://.',
        hint: 'For example: --database postgres://user@host:5432/waymark. For a folder, use --data.',
      });
    }
    return (await import('./open-postgres.ts')).openPostgres(database, rest);
  }
  const { data, ...rest } = options;
  // Loaded when used: WebAssembly is heavy, and a server with a PostgreSQL has no need of it.
  return (await import('./open-pglite.ts')).openPglite(data, rest);
}
