/** What the hash chain adds to an event, beside the write that every event needs. */
import { HashChain } from '../src/journal/index.ts';
import { documentedEvents } from '../test/journal/documented-events.ts';
import { type BenchRow, medianMicros } from './measure.ts';

const LONG = 20_000;

export function benchChain(): BenchRow[] {
  const lines = documentedEvents.map((event) => JSON.stringify(event));
  const long = JSON.stringify({ seq: 1, type: 'message', text: 'x'.repeat(LONG) });
  const chain = new HashChain();
  return [
    {
      name: 'hash chain, an event of the reference page',
      value: medianMicros((call) => chain.add(lines[Math.abs(call) % lines.length] ?? ''), 1_000),
      unit: 'µs',
    },
    { name: `hash chain, an event of ${LONG / 1_000} kB`, value: medianMicros(() => chain.add(long), 200), unit: 'µs' },
  ];
}
