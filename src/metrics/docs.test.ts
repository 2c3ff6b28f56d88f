import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as metrics from './index.ts';

const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');

interface Example {
  events?: metrics.MetricEvent[];
  options?: metrics.EpisodeMetricsOptions;
  tokens?: metrics.MetricEvent[];
  gives?: Record<string, unknown>;
  call?: string;
  args?: unknown[];
  returns?: unknown;
}
const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match): Example => JSON.parse(match[1] ?? ''));

/** A result as the page shows it: through JSON, with numbers rounded to four places. */
const shown = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'number' ? Math.round(inner * 1e4) / 1e4 : inner,
  );

const field = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value);

const argument = (given: unknown): unknown => {
  const seed: unknown = Reflect.get(Object(given), '$seed');
  return typeof seed === 'number' ? metrics.seededRandom(seed) : given;
};

describe('docs/reference/metrics.md', () => {
  it.each(examples.map((example, index) => [index + 1, example] as const))('example %d', async (_index, example) => {
    const { events, tokens, call, args = [], gives = {} } = example;
    if (events !== undefined) {
      const folded = metrics.episodeMetrics(events, example.options);
      for (const [path, expected] of Object.entries(gives)) expect(field(folded, path), path).toEqual(expected);
    } else if (tokens !== undefined) {
      expect(metrics.episodeTokens(tokens, await metrics.loadTokenCounter())).toEqual(gives);
    } else {
      const exported: unknown = Reflect.get(metrics, call ?? '');
      if (typeof exported !== 'function') throw new Error(`${call} is not an exported function`);
      expect(shown(exported(...args.map(argument)))).toEqual(example.returns);
    }
  });

  it('shows every field of the metrics and every function that the module exports', () => {
    const paths = examples.flatMap(({ gives = {} }) => Object.keys(gives).map((path) => path.split('.')));
    const folded = metrics.episodeMetrics([]);
    const given = new Set(paths.map(([first]) => first));
    expect(Object.keys(folded).filter((name) => !given.has(name))).toEqual([]);
    const wandering = new Set(paths.filter(([first]) => first === 'wandering').map(([, second]) => second));
    expect(Object.keys(folded.wandering).filter((name) => !wandering.has(name))).toEqual([]);
    const functions = Object.entries(metrics).filter(([, value]) => typeof value === 'function');
    // answerOutcome has a page of its own: outcomes.md.
    expect(functions.map(([name]) => name).filter((name) => !page.includes(`${name}`))).toEqual([
      'answerOutcome',
      'isAgentOutcome',
    ]);
  });

  it('names the samples that a claim needs', () => {
    expect(page).toContain(
      `A headline needs ${metrics.CLAIM_SAMPLES.suite} samples for a suite and ${metrics.CLAIM_SAMPLES.task} for a task`,
    );
  });
});
