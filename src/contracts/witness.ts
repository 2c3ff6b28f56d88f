/** The witness observes the page for the harness. The one in chromium/ observes a live browser; this one returns recorded facts. */
import type { DomFacts, Facts, FactsNeeded } from './facts.ts';

type Probe<T> = (needed: FactsNeeded, signal: AbortSignal) => T | undefined | Promise<T | undefined>;

/**
 * The probes run concurrently. Each is called at most once per evaluation, and only when the contract needs it.
 * If a probe is missing, returns `undefined`, throws or is late, its fact is unknown, and what depends on it is inconclusive.
 */
export interface Witness {
  ts?: Probe<number>;
  url?: Probe<string>;
  /** All selectors of the contract in one round trip; `unavailable['dom:<selector>']` explains why one of them is missing. */
  dom?: Probe<DomFacts>;
  /** Pages that are opened once the attempt has ended; `undefined` before. */
  pages?: Probe<NonNullable<Facts['pages']>>;
  /** `unavailable['script:<expression>']` explains why the value of one of them is missing. */
  script?: Probe<Pick<Facts, 'script' | 'unavailable'>>;
  network?: Probe<NonNullable<Facts['network']>>;
  markers?: Probe<NonNullable<Facts['markers']>>;
  dialogs?: Probe<NonNullable<Facts['dialogs']>>;
  console?: Probe<NonNullable<Facts['console']>>;
  performance?: Probe<NonNullable<Facts['performance']>>;
  screenshot?: Probe<NonNullable<Facts['screenshot']>>;
  exemplars?: Probe<NonNullable<Facts['exemplars']>>;
  answers?: Probe<NonNullable<Facts['answers']>>;
  answer?: Probe<Facts['answer']>;
}

/**
 * @example
 * const evidence = await evaluate({ kind: 'url', pattern: '/done$' }, recordedWitness({ url: 'https://shop.example/done' }));
 * evidence.verdict; // 'pass'
 */
export function recordedWitness(facts: Facts): Required<Witness> {
  const recorded = <K extends Exclude<keyof Facts, 'script' | keyof DomFacts>>(name: K) => {
    return () => {
      const reason = facts.unavailable?.[name];
      if (facts[name] === undefined && reason !== undefined) throw new Error(reason);
      return facts[name];
    };
  };
  const missingOf = (probe: string) =>
    Object.fromEntries(
      Object.entries(facts.unavailable ?? {}).filter(([name]) => name === probe || name.startsWith(`${probe}:`)),
    );
  return {
    ts: recorded('ts'),
    url: recorded('url'),
    dom: () => {
      const { domText, domValue, domCount } = facts;
      return {
        ...(domText && { domText }),
        ...(domValue && { domValue }),
        ...(domCount && { domCount }),
        unavailable: missingOf('dom'),
      };
    },
    pages: recorded('pages'),
    script: () => ({ ...(facts.script && { script: facts.script }), unavailable: missingOf('script') }),
    network: recorded('network'),
    markers: recorded('markers'),
    dialogs: recorded('dialogs'),
    console: recorded('console'),
    performance: recorded('performance'),
    screenshot: recorded('screenshot'),
    exemplars: recorded('exemplars'),
    answers: recorded('answers'),
    answer: recorded('answer'),
  };
}
