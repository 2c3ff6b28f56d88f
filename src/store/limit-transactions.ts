/** So many transactions at once, in the order in which they were asked for; statements by themselves do not wait. */
import type { Database } from './database.ts';

export function limitTransactions(db: Pick<Database, 'transaction'>, most: number): void {
  const begin = db.transaction.bind(db);
  const waiting: (() => void)[] = [];
  let running = 0;
  db.transaction = async (work, config) => {
    // Who ends hands its place on, so that nobody who comes later takes it.
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await begin(work, config);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
