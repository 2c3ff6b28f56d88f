/** The requests that the guard of side effects did not send, from the evidence of an attempt. */
import { isStep, type JournalEvent } from './events.ts';

/** Requests that a result lists; the others are counted. */
const LISTED = 20;

export interface BlockedRequests {
  count: number;
  /** The first ones. `step`: the agent's step after which it was seen; 0 before its first. */
  requests: { method: string; url: string; step: number }[];
}

/** Undefined where nothing was blocked. A request that is listed again once it has ended is counted once. */
export function blockedRequests(events: readonly JournalEvent[]): BlockedRequests | undefined {
  const seen = new Map<string, BlockedRequests['requests'][number]>();
  let step = 0;
  for (const event of events) {
    if (event.type === 'tool_call' && isStep(event)) step = event.step;
    if (event.type !== 'evidence') continue;
    for (const { id = '', at = '', method, url, blocked } of event.network ?? []) {
      const key = `${id} ${at} ${url}`;
      if (blocked && !seen.has(key)) seen.set(key, { method, url, step });
    }
  }
  return seen.size === 0 ? undefined : { count: seen.size, requests: [...seen.values()].slice(0, LISTED) };
}
