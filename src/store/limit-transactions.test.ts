import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { limitTransactions } from './limit-transactions.ts';

test('so many transactions run at once, and the next begins when one of them has ended, also by an error', async () => {
  const begun: string[] = [];
  const db = {
    transaction: (work: (tx: never) => Promise<unknown>) => work(undefined as never),
  } as unknown as Pick<Database, 'transaction'>;
  limitTransactions(db, 2);
  const ends = new Map<string, (error?: Error) => void>();
  const transaction = (name: string) =>
    db.transaction(async () => {
      begun.push(name);
      await new Promise<void>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve())));
    });
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(transaction);
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.(new Error('refused'));
  await expect(b).rejects.toThrow('refused');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  ends.get('a')?.();
  await a;
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  ends.get('c')?.();
  ends.get('d')?.();
  await Promise.all([c, d]);
});
