import { expect, test } from 'vitest';
import { WaymarkError } from '../../errors/index.ts';
import { isOutage, throughOutages } from './through-outages.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const ofPostgres = (code: string) => Object.assign(new Error('from the server'), { severity: 'FATAL', code });

test.each([
  ['a connection that is refused', refused()],
  ['what drizzle makes of it', new Error('Failed query', { cause: refused() })],
  ['a server that stops', ofPostgres('57P01')],
  ['a server that starts', ofPostgres('57P03')],
  ['a connection that was lost', new Error('Connection terminated unexpectedly')],
  ['a bucket that fails', new WaymarkError({ code: 'artifacts_failed', message: 'answered 503' })],
])('%s is an outage', (_, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ['a claim that was lost', new WaymarkError({ code: 'lease_lost', message: 'lost' })],
  ['a row that breaks a rule', ofPostgres('23505')],
  ['keys that are refused', new WaymarkError({ code: 'artifacts_denied', message: 'denied' })],
  ['a mistake in the program', new TypeError('x is not a function')],
])('%s is none', (_, error) => {
  expect(isOutage(error)).toBe(false);
});

test('what is away is waited for, told of once, and done when it is back', async () => {
  const told: unknown[] = [];
  let tries = 0;
  const done = await throughOutages({ forMs: 60_000, onWait: (error) => told.push(error) })(async () => {
    tries++;
    if (tries < 4) throw refused();
    return 'done';
  });
  expect([done, tries, told.length]).toEqual(['done', 4, 1]);
});

test('it ends with its time, by its signal, and at once where it is no outage', async () => {
  const always = async (): Promise<never> => {
    throw refused();
  };
  await expect(throughOutages({ forMs: 0 })(always)).rejects.toThrow('ECONNREFUSED');
  await expect(throughOutages({ forMs: 60_000 })(always, AbortSignal.abort())).rejects.toThrow('ECONNREFUSED');
  let tries = 0;
  const wrong = throughOutages({ forMs: 60_000 })(async () => {
    tries++;
    throw new TypeError('wrong');
  });
  await expect(wrong).rejects.toThrow('wrong');
  expect(tries).toBe(1);
});
