/** The requests of an attempt, from its journal: those that were written for the rules, or the lists in the evidence of its steps. */
import { canonicalHash, type NetworkRule } from '../../cases/index.ts';
import type { EventOf, JournalEvent } from '../../events/index.ts';
import type { SeenRequest } from './rule-result.ts';

export interface RequestList {
  /** In the order in which they were sent. */
  readonly requests: readonly SeenRequest[];
  /** Why there may be more of them, as a sentence. */
  readonly incomplete?: string | undefined;
}

export class JournalRequests {
  readonly #recorded: RequestList;
  readonly #listed: RequestList | undefined;
  readonly #rules: ReadonlySet<string>;

  constructor(events: readonly JournalEvent[]) {
    const evidence = events.filter((event) => event.type === 'evidence');
    const end = events.findLast((event) => event.type === 'requests');
    this.#rules = new Set(end?.rules);
    this.#recorded = { requests: recorded(events), incomplete: end && whyIncomplete(end) };
    this.#listed = evidence.length === 0 ? undefined : listed(evidence);
  }

  /** For a rule; a sentence where the journal can't tell. */
  for(rule: NetworkRule): RequestList | string {
    if (this.#rules.has(ruleHash(rule))) return this.#recorded;
    if (!this.#listed) return 'The journal has no requests: the attempt was made elsewhere.';
    if (!needsOnlyAddress(rule))
      return 'The attempt was made without this rule, so that headers, cookies and contents were not recorded.';
    return this.#listed;
  }

  /** What was sent at all, as far as the evidence lists it: for a hint where no request is like a rule's. */
  get all(): readonly SeenRequest[] {
    return this.#listed?.requests ?? this.#recorded.requests;
  }
}

/** By which an attempt says for which rules it has recorded requests. */
export function ruleHash(rule: NetworkRule): string {
  return canonicalHash(rule);
}

/** Address, method, status and query stand in the evidence of every step, too; the frame that asked for a document does not. */
function needsOnlyAddress(rule: NetworkRule): boolean {
  return !(rule.body || rule.response || rule.headers || rule.cookies || rule.lastNavigation);
}

function recorded(events: readonly JournalEvent[]): SeenRequest[] {
  const requests = events.filter((event) => event.type === 'request').map(withoutCut);
  return requests.sort((one, other) => one.number - other.number);
}

/** Half a body would give another verdict. */
function withoutCut({ cut, ...event }: EventOf<'request'>): SeenRequest {
  const fields = new Set(cut?.fields);
  const problem = 'It was too long for the journal.';
  return {
    ...event,
    ...(fields.has('body') ? { body: { problem } } : {}),
    ...(fields.has('response') ? { response: { problem } } : {}),
  };
}

function whyIncomplete({ dropped = 0, incomplete }: EventOf<'requests'>): string | undefined {
  return dropped > 0 ? `${dropped} requests were left out, because there were too many.` : incomplete;
}

/** A request that had no answer yet stands in a later evidence again; a redirect has the same id and another address. */
function listed(evidence: readonly EventOf<'evidence'>[]): RequestList {
  const byKey = new Map<string, SeenRequest>();
  for (const { network = [] } of evidence)
    for (const { id, at = 0, method, url, status, failed } of network) {
      const key = id === undefined ? `#${byKey.size}` : `${id} ${method} ${url}`;
      const number = byKey.get(key)?.number ?? byKey.size + 1;
      byKey.set(key, {
        number,
        at,
        method,
        url,
        ...(status === undefined ? {} : { status }),
        ...(failed === undefined ? {} : { failed }),
        ...(status === undefined && failed === undefined ? { open: true } : {}),
      });
    }
  const isCut = evidence.some(({ dropped, cut }) => (dropped?.network ?? 0) > 0 || cut?.fields.includes('network'));
  const requests = [...byKey.values()].sort((one, other) => one.at - other.at || one.number - other.number);
  return {
    requests,
    incomplete: isCut ? 'The evidence does not list all requests, because there were too many.' : undefined,
  };
}
