/** The addresses that the witness saw after the agent began: of tabs, of requests with every redirect, of popups and downloads. */
import type { EventOf, JournalEvent } from '../../events/index.ts';

export interface SeenAddress {
  readonly url: URL;
  /** `tab`, `request`, `popup` or `download`. */
  readonly what: string;
  /** The agent's step before it was seen. */
  readonly step: number;
}

export interface HostsSeen {
  /** Each host once for each kind, where it was seen first. */
  readonly addresses: readonly SeenAddress[];
  /** The witness looked at least once after the agent began. */
  readonly wasWatched: boolean;
  /** Entries that the journal had no room for: a host may be among them. */
  readonly leftOut: number;
}

export function hostsSeen(events: readonly JournalEvent[]): HostsSeen {
  const found = new Map<string, SeenAddress>();
  /** Calls before the agent's first: what they caused is the start page's own doing. */
  let callsBefore = 0;
  let step = 0;
  let hasBegun = false;
  let wasWatched = false;
  let leftOut = 0;
  for (const event of events) {
    if (event.type === 'tool_call') {
      hasBegun ||= event.by === 'agent';
      if (!hasBegun) callsBefore++;
      step = Math.max(step, event.step);
    }
    if (event.type !== 'evidence' || !hasBegun) continue;
    wasWatched = true;
    const { network = 0, popups = 0, downloads = 0 } = event.dropped ?? {};
    leftOut += network + popups + downloads + (event.cut ? 1 : 0);
    for (const { what, address } of addressesOf(event, callsBefore)) {
      const url = URL.parse(address);
      if (!url?.host) continue;
      const key = `${what} ${url.host}`;
      if (!found.has(key)) found.set(key, { what, url, step });
    }
  }
  return { addresses: [...found.values()], wasWatched, leftOut };
}

function* addressesOf(event: EventOf<'evidence'>, callsBefore: number): Generator<{ what: string; address: string }> {
  const isAfter = ({ marker }: { marker: number }): boolean => marker > callsBefore;
  yield { what: 'tab', address: event.url };
  for (const { url } of event.tabs) yield { what: 'tab', address: url };
  for (const { url } of event.network?.filter(isAfter) ?? []) yield { what: 'request', address: url };
  for (const { url } of event.popups?.filter(isAfter) ?? []) yield { what: 'popup', address: url };
  for (const { url } of event.downloads?.filter(isAfter) ?? []) yield { what: 'download', address: url };
}

/**
 * A pattern with a port means that port only.
 *
 * @example
 * isHost(new URL('https://a.shop.example/'), '*.shop.example'); // => true
 */
export function isHost(url: URL, pattern: string): boolean {
  const below = pattern.startsWith('*.');
  // Parsed as an address, so that case and letters outside ASCII are written as the browser writes them.
  const wanted = URL.parse(`${url.protocol}//${below ? pattern.slice(2) : pattern}`);
  if (!wanted) return false;
  const hasPort = /:\d+$/.test(pattern);
  if (hasPort && portOf(url) !== portOf(wanted)) return false;
  return below ? url.hostname.endsWith(`.${wanted.hostname}`) : url.hostname === wanted.hostname;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/** A default port is left out of an address. */
function portOf({ port, protocol }: URL): string {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? '') : port;
}
