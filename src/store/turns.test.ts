import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Work that is at its turn when it is in `begun`, and ends when it is told to. */
function lab() {
  const turns = new Turns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    // The next turn is given out in a later microtask.
    await new Promise(setImmediate);
  };
  return {
    begun,
    end,
    statement: (name: string) => turns.statement(work(name)),
    transaction: (name: string) => turns.transaction(work(name)),
    read: (key: string, name: string) => turns.read(key, work(name)),
  };
}

test('nothing else has a turn during a transaction, and statements that waited go before the next one', async () => {
  const { begun, end, statement, transaction } = lab();
  const all = [transaction('import 1'), transaction('import 2'), statement('list'), statement('page')];
  expect(begun).toEqual(['import 1']);
  await end('import 1');
  expect(begun).toEqual(['import 1', 'list', 'page']);
  await end('list');
  expect(begun).toHaveLength(3);
  await end('page');
  expect(begun.at(-1)).toBe('import 2');
  await end('import 2');
  await Promise.all(all);
});

test('statements that keep coming pass over a transaction so often, and no more', async () => {
  const { begun, end, statement, transaction } = lab();
  const all = [statement('s0'), transaction('import')];
  for (let n = 1; n <= 40; n++) all.push(statement(`s${n}`));
  for (let n = 0; n <= 40; n++) await end(`s${n}`);
  expect(begun.indexOf('import')).toBe(33);
  await end('import');
  for (let n = 0; n <= 40; n++) await end(`s${n}`);
  await Promise.all(all);
});

test('a transaction that fails gives the turn to the next', async () => {
  const turns = new Turns();
  const failed = turns.transaction(() => Promise.reject(new Error('refused')));
  const next = turns.statement(() => Promise.resolve('answer'));
  await expect(failed).rejects.toThrow('refused');
  expect(await next).toBe('answer');
});

test('the same read is done once for all who ask before it begins, and again for who asks later', async () => {
  const { begun, end, transaction, read } = lab();
  const all = [transaction('import'), read('runs', 'first'), read('runs', 'second'), read('datasets', 'other')];
  await end('import');
  expect(begun).toEqual(['import', 'first', 'other']);
  // It may have read before a write that its asker knows of.
  all.push(read('runs', 'third'));
  expect(begun.at(-1)).toBe('third');
  for (const name of ['first', 'other', 'third']) await end(name);
  await Promise.all(all);
});

test('a read that fails does so for all who asked before it began, and not for who asks later', async () => {
  const turns = new Turns();
  const writing = turns.transaction(() => Promise.resolve());
  const failed = [1, 2].map(() => turns.read('runs', () => Promise.reject(new Error('refused'))));
  await writing;
  for (const read of failed) await expect(read).rejects.toThrow('refused');
  expect(await turns.read('runs', () => Promise.resolve('answer'))).toBe('answer');
});
