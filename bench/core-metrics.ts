/** What the metrics cost: medians, printed as figures and never asserted in a test. */
import {
  clusteredBootstrap,
  episodeMetrics,
  loadTokenCounter,
  type MetricEvent,
  seededRandom,
} from '../src/metrics/index.ts';
import { type BenchRow, medianMicros } from './measure.ts';

export async function benchMetrics(): Promise<BenchRow[]> {
  const straight = episode(30, (step) => step);
  const looping = episode(30, (step) => step % 3);
  const clusters = Array.from({ length: 100 }, (_, task) =>
    Array.from({ length: 5 }, (_, trial) => (task * trial) % 2),
  );
  const start = performance.now();
  const counter = await loadTokenCounter();
  const loading = performance.now() - start;
  const observation = 'button "Add to cart" [ref=e12]\n  text: Blue mug, 12.50 EUR\n'.repeat(70);
  const random = seededRandom(1);
  const unbroken = Array.from({ length: 262_144 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
  // Once: the tokenizer remembers pieces, and a second count of the same text is nearly free.
  const before = performance.now();
  counter.count(unbroken);
  const unbrokenMs = performance.now() - before;
  return [
    {
      name: 'fold 30 steps, straight',
      value: medianMicros(() => episodeMetrics(straight), 200),
      unit: 'µs',
      goal: 200,
    },
    {
      name: 'fold 30 steps, looping',
      value: medianMicros(() => episodeMetrics(looping), 200),
      unit: 'µs',
      goal: 200,
    },
    {
      name: 'clustered bootstrap, 100 tasks, 2000 resamples',
      value: Math.round(medianMicros(() => clusteredBootstrap(clusters, seededRandom(1)), 1, 15) / 100) / 10,
      unit: 'ms',
    },
    { name: 'load the tokenizer', value: Math.round(loading), unit: 'ms' },
    {
      name: 'tokens of a 4 KB observation',
      value: medianMicros(() => counter.count(observation), 20),
      unit: 'µs',
    },
    {
      name: 'tokens of 256 Ki characters without a break, the first time',
      value: Math.round(unbrokenMs),
      unit: 'ms',
    },
  ];
}

/** Seven events a step, as the journal writes them. */
function episode(steps: number, place: (step: number) => number): MetricEvent[] {
  const events: MetricEvent[] = [];
  const add = (event: object) => events.push({ seq: events.length, time: events.length * 10, ...event } as MetricEvent);
  add({ type: 'reset', ok: true });
  add({ type: 'evidence', url: 'http://fixtures.waymark.test/', state: 'start' });
  for (let step = 0; step < steps; step++) {
    const at = place(step);
    add({
      type: 'tool_call',
      tool: at % 2 === 0 ? 'interact' : 'read_page',
      arguments: { action: 'click', ref: `e${at}`, tabId: 't1' },
      observes: at % 2 === 1,
    });
    add({ type: 'tool_result', isError: at % 5 === 4, text: 'ok' });
    add({ type: 'evidence', url: `http://fixtures.waymark.test/${at}`, state: `state-${at}` });
    add({ type: 'contract_eval', verdict: step === steps - 1 ? 'pass' : 'fail' });
    add({ type: 'reward', score: at % 5 === 4 ? -0.3 : 0.3, classification: at % 5 === 4 ? 'failure' : 'progress' });
    add({ type: 'progress', status: 'progressing' });
    add({ type: 'screenshot' });
  }
  add({ type: 'stop', status: 'passed' });
  return events;
}
