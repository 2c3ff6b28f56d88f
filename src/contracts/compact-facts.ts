/** The smallest set of facts that still gives the same evidence: the journal keeps these for every step. */
import { digestText } from './compare-text.ts';
import type { DomFacts, DomNeeded, Facts, TextNeeded } from './facts.ts';
import { factsNeeded, observedFacts } from './facts.ts';
import { leavesOf } from './leaves-of.ts';
import { stepsPerLeaf } from './pattern-scan.ts';
import type { Contract, Leaf } from './schema.ts';

/**
 * Leaves out what the contract does not need, and shortens a long text to its beginning, its length and how the
 * comparisons of the contract came out. `evaluateFacts` gives the same evidence for the compacted facts as for the original ones.
 *
 * @example
 * const contract = { kind: 'dom_text', contains: 'Thank you' } as const;
 * compactFacts(contract, { url: 'https://shop.example/', domText: { body: 'Thank you', h1: 'Order' } });
 * // { domText: { body: 'Thank you' } }
 */
export function compactFacts(contract: Contract, given: Facts): Facts {
  const facts = observedFacts(given);
  const needed = factsNeeded(contract);
  const leaves = [...leavesOf(contract)];
  const steps = stepsPerLeaf(contract);
  const { ts, url, markers, dialogs, screenshot, unavailable } = facts;
  return defined({
    ts: needed.ts ? ts : undefined,
    url: needed.url ? url : undefined,
    ...compactDom(facts, needed, steps),
    pages: keep(
      facts.pages,
      needed.pages,
      ({ url }) => url,
      (page, asked) => ({
        ...defined({ ...compactDom(page, asked, steps), script: keepAll(page.script, asked.script) }),
        ...(page.unavailable && { unavailable: page.unavailable }),
      }),
    ),
    script: keepAll(facts.script, needed.script),
    network: needed.network ? sinceMarkers(leaves, facts) : undefined,
    markers: needed.markers ? markers : undefined,
    dialogs: needed.dialogs ? dialogs : undefined,
    console: needed.console ? recentConsole(leaves, facts) : undefined,
    performance:
      needed.performance.length > 0
        ? facts.performance?.filter(({ metric }) => needed.performance.includes(metric))
        : undefined,
    screenshot: needed.screenshot ? screenshot : undefined,
    exemplars: keepAll(facts.exemplars, needed.exemplars),
    answer: needed.answer ? facts.answer : undefined,
    answers: keepAll(facts.answers, needed.answers),
    unavailable,
  });
}

function compactDom(facts: DomFacts, needed: DomNeeded, steps: number) {
  const selectorOf = ({ selector }: TextNeeded): string => selector;
  return {
    domText: keep(facts.domText, needed.domText, selectorOf, (text, asked) =>
      digestText(text, asked, { steps, collapse: true }),
    ),
    domValue: keep(facts.domValue, needed.domValue, selectorOf, (control, asked) =>
      control === null ? null : { ...control, value: digestText(control.value, asked, { steps, collapse: false }) },
    ),
    domCount: keepAll(facts.domCount, needed.domCount),
  };
}

/** The entries of a record that are needed, changed by what is asked of them. */
function keep<T, N>(
  record: Record<string, T> | undefined,
  needed: readonly N[],
  keyOf: (asked: N) => string,
  change: (value: T, asked: N) => T,
): Record<string, T> | undefined {
  if (record === undefined || needed.length === 0) return undefined;
  // Built from entries, so that a key named __proto__ stays an ordinary key.
  return Object.fromEntries(
    needed.flatMap((asked) => {
      const key = keyOf(asked);
      return Object.hasOwn(record, key) ? [[key, change(record[key] as T, asked)] as const] : [];
    }),
  );
}

const keepAll = <T>(record: Record<string, T> | undefined, keys: readonly string[]) =>
  keep(
    record,
    keys,
    (key) => key,
    (value) => value,
  );

const defined = <T extends object>(facts: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** Leaves out responses that came before every marker the contract uses: no leaf counts them. */
function sinceMarkers(leaves: Leaf[], { network, markers }: Facts): Facts['network'] {
  const moments = leaves.flatMap((leaf) =>
    leaf.kind === 'network' ? [markers?.[leaf.since] ?? Number.POSITIVE_INFINITY] : [],
  );
  const from = Math.min(...moments);
  return network?.filter((response) => response.ts >= from);
}

function recentConsole(leaves: Leaf[], { console, ts }: Facts): Facts['console'] {
  const oldest = Math.max(...leaves.flatMap((leaf) => (leaf.kind === 'console' ? [leaf.max_age_ms] : [])));
  return console?.filter((entry) => ts === undefined || ts - entry.ts <= oldest);
}
