/** The smallest set of facts that still gives the same evidence: the journal keeps these for every step. */
import type { Facts, TextFact } from './facts.ts';
import { factsNeeded, selectorOf } from './facts.ts';
import { leavesOf } from './leaves-of.ts';
import { TEXT_PREVIEW } from './limits.ts';
import type { Contract, Leaf } from './schema.ts';

/**
 * Leaves out what the contract does not need, and shortens a long text to its beginning, its length and whether it contains
 * the wanted strings. `evaluateFacts` gives the same evidence for the compacted facts as for the original ones.
 *
 * @example
 * const contract = { kind: 'dom_text', contains: 'Thank you' } as const;
 * compactFacts(contract, { url: 'https://shop.example/', domText: { body: 'Thank you', h1: 'Order' } });
 * // { domText: { body: 'Thank you' } }
 */
export function compactFacts(contract: Contract, facts: Facts): Facts {
  const needed = factsNeeded(contract);
  const leaves = [...leavesOf(contract)];
  const { ts, url, markers, dialogs, screenshot, unavailable } = facts;
  const entries = {
    ts: needed.ts ? ts : undefined,
    url: needed.url ? url : undefined,
    domText: keep(facts.domText, needed.domText, (text, selector) => shorten(text, sought(leaves, selector))),
    domCount: keep(facts.domCount, needed.domCount, (count) => count),
    network: needed.network ? sinceMarkers(leaves, facts) : undefined,
    markers: needed.markers ? markers : undefined,
    dialogs: needed.dialogs ? dialogs : undefined,
    console: needed.console ? recentConsole(leaves, facts) : undefined,
    performance: facts.performance?.filter(({ metric }) => needed.performance.includes(metric)),
    screenshot: needed.screenshot ? screenshot : undefined,
    exemplars: keep(facts.exemplars, needed.exemplars, (exemplars) => exemplars),
    answer: needed.answer ? facts.answer : undefined,
    answers: keep(facts.answers, needed.answers, (answer) => answer),
    unavailable,
  };
  const wanted = { ...entries, performance: needed.performance.length > 0 ? entries.performance : undefined };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

function keep<T>(
  record: Record<string, T> | undefined,
  keys: string[],
  change: (value: T, key: string) => T,
): Record<string, T> | undefined {
  if (record === undefined || keys.length === 0) return undefined;
  // Built from entries, so that a key named __proto__ stays an ordinary key.
  return Object.fromEntries(
    keys.flatMap((key) => (Object.hasOwn(record, key) ? [[key, change(record[key] as T, key)] as const] : [])),
  );
}

const sought = (leaves: Leaf[], selector: string): string[] =>
  leaves.flatMap((leaf) => (leaf.kind === 'dom_text' && selectorOf(leaf) === selector ? [leaf.contains] : []));

function shorten(text: TextFact, strings: string[]): TextFact {
  if (typeof text !== 'string' || text.length <= TEXT_PREVIEW) return text;
  const contains = Object.fromEntries(strings.map((string) => [string, text.includes(string)]));
  return { preview: text.slice(0, TEXT_PREVIEW), length: text.length, contains };
}

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
