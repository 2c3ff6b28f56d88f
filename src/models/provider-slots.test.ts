import { expect, test } from 'vitest';
import { ProviderSlots } from './provider-slots.ts';

const { signal } = new AbortController();

test('a provider gets no more calls at once than it may, another one has its own', async () => {
  const slots = new ProviderSlots(2);
  const order: string[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const call = (provider: string, n: number) =>
    slots.use(provider, signal, async () => {
      order.push(`${provider}${n}`);
      await gates[n]?.promise;
    });
  const calls = [call('a', 0), call('a', 1), call('a', 2), call('b', 3)];
  await Promise.resolve();
  await Promise.resolve();
  expect(order).toEqual(['a0', 'a1', 'b3']);
  gates[1]?.resolve();
  await calls[1];
  await expect.poll(() => order).toEqual(['a0', 'a1', 'b3', 'a2']);
  for (const gate of gates) gate.resolve();
  await Promise.all(calls);
});

test('who is stopped while waiting leaves no hole, and who fails gives the slot back', async () => {
  const slots = new ProviderSlots(1);
  const gate = Promise.withResolvers<void>();
  const first = slots.use('a', signal, () => gate.promise);
  const stop = new AbortController();
  const second = slots.use('a', stop.signal, async () => 'second');
  const third = slots.use('a', signal, async () => {
    throw new Error('failed');
  });
  const fourth = slots.use('a', signal, async () => 'fourth');
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  gate.resolve();
  await first;
  await expect(third).rejects.toThrow('failed');
  expect(await fourth).toBe('fourth');
});
