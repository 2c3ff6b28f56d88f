import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as door from './index.ts';

const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');

interface Example {
  events?: door.MetricEvent[];
  options?: door.EpisodeMetricsOptions;
  tokens?: door.MetricEvent[];
  gives?: Record<string, unknown>;
  call?: string;
  args?: unknown[];
  returns?: unknown;
}
const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match): Example => JSON.parse(match[1] ?? ''));

/** What the page shows of a result: through JSON, numbers to four places. */
const shown = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'number' ? Math.round(inner * 1e4) / 1e4 : inner,
  );

const field = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value);

const argument = (given: unknown): unknown => {
  const seed: unknown = Reflect.get(Object(given), '$seed');
  return typeof seed === 'number' ? door.seededRandom(seed) : given;
};

describe('docs/reference/metrics.md', () => {
  it.each(examples.map((example, index) => [index + 1, example] as const))('example %d', async (_index, example) => {
    const { events, tokens, call, args = [], gives = {} } = example;
    if (events !== undefined) {
      const metrics = door.episodeMetrics(events, example.options);
      for (const [path, expected] of Object.entries(gives)) expect(field(metrics, path), path).toEqual(expected);
    } else if (tokens !== undefined) {
      expect(door.episodeTokens(tokens, await door.loadTokenCounter())).toEqual(gives);
    } else {
      const exported: unknown = Reflect.get(door, call ?? '');
      if (typeof exported !== 'function') throw new Error(`${call} is no function of the door`);
      expect(shown(exported(...args.map(argument)))).toEqual(example.returns);
    }
  });

  it('shows every field of the metrics and every function of the door', () => {
    const paths = examples.flatMap(({ gives = {} }) => Object.keys(gives).map((path) => path.split('.')));
    const metrics = door.episodeMetrics([]);
    const given = new Set(paths.map(([first]) => first));
    expect(Object.keys(metrics).filter((name) => !given.has(name))).toEqual([]);
    const wandering = new Set(paths.filter(([first]) => first === 'wandering').map(([, second]) => second));
    expect(Object.keys(metrics.wandering).filter((name) => !wandering.has(name))).toEqual([]);
    const functions = Object.entries(door).filter(([, value]) => typeof value === 'function');
    expect(functions.map(([name]) => name).filter((name) => !page.includes(`${name}`))).toEqual(['isAgentOutcome']);
  });

  it('names the samples that a claim needs', () => {
    expect(page).toContain(
      `A headline needs ${door.CLAIM_SAMPLES.suite} samples for a suite and ${door.CLAIM_SAMPLES.task} for a task`,
    );
  });
});
