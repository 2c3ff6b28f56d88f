/** The witness observes the page for the harness. The one in chromium/ observes a live browser; this one returns recorded facts. */
import type { Facts, FactsNeeded } from './facts.ts';

type Probe<T> = (needed: FactsNeeded, signal: AbortSignal) => T | undefined | Promise<T | undefined>;

export type DomFacts = Pick<Facts, 'domText' | 'domCount' | 'unavailable'>;

/**
 * The probes run concurrently. Each is called at most once per evaluation, and only when the contract needs it.
 * If a probe is missing, returns `undefined`, throws or is late, its fact is unknown, and what depends on it is inconclusive.
 */
export interface Witness {
  ts?: Probe<number>;
  url?: Probe<string>;
  /** All selectors of the contract in one round trip; `unavailable['dom:<selector>']` explains why one of them is missing. */
  dom?: Probe<DomFacts>;
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
  const recorded = <K extends Exclude<keyof Facts, 'domText' | 'domCount' | 'unavailable'>>(name: K) => {
    return () => {
      const reason = facts.unavailable?.[name];
      if (facts[name] === undefined && reason !== undefined) throw new Error(reason);
      return facts[name];
    };
  };
  return {
    ts: recorded('ts'),
    url: recorded('url'),
    dom: () => {
      const { domText, domCount, unavailable = {} } = facts;
      const missing = Object.fromEntries(Object.entries(unavailable).filter(([name]) => /^dom(:|$)/.test(name)));
      return { ...(domText && { domText }), ...(domCount && { domCount }), unavailable: missing };
    },
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
