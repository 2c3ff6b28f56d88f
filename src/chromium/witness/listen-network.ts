/** Turns the network events of one session into log entries. */
import type { Session } from '../cdp/session.ts';
import { BLOCKED_BY_CLIENT, cut, type NetworkEntry } from './logs.ts';
import type { Surroundings } from './surroundings.ts';

/** How many unfinished requests are remembered. Of more than these, only the newest are kept. */
const MAX_OPEN = 2_000;

export function listenNetwork(session: Session, targetId: string, around: Surroundings): void {
  const open = new Map<string, NetworkEntry>();

  session.on('Network.requestWillBeSent', (event) => {
    const redirected = open.get(event.requestId);
    if (redirected && event.redirectResponse) {
      respond(redirected, event.redirectResponse);
      redirected.endedAt = around.now();
    }
    const entry: NetworkEntry = {
      requestId: event.requestId,
      targetId,
      ...(event.frameId === undefined ? {} : { frameId: event.frameId }),
      method: event.request.method,
      url: cut(event.request.url + (event.request.urlFragment ?? '')),
      type: event.type ?? 'Other',
      ...(redirected && event.redirectResponse ? { redirectedFrom: redirected.url } : {}),
      ...(around.wasBlocked(event.requestId, event.request.url) ? { blocked: true } : {}),
      startedAt: around.now(),
      marker: around.marker(),
    };
    if (open.size >= MAX_OPEN) open.delete(open.keys().next().value ?? '');
    open.set(event.requestId, entry);
    around.network.add(entry);
  });
  session.on('Network.webSocketCreated', ({ requestId, url }) => {
    if (!around.blocksSocket(url)) return;
    const times = { startedAt: around.now(), endedAt: around.now(), marker: around.marker() };
    const how = { method: 'GET', type: 'WebSocket', failed: BLOCKED_BY_CLIENT, blocked: true } as const;
    around.network.add({ requestId, targetId, url: cut(url), ...how, ...times });
  });
  session.on('Network.responseReceived', (event) => {
    const entry = open.get(event.requestId);
    if (entry) respond(entry, event.response);
  });
  session.on('Network.loadingFinished', (event) => {
    const entry = open.get(event.requestId);
    if (!entry) return;
    entry.size = event.encodedDataLength;
    entry.endedAt = around.now();
    open.delete(event.requestId);
  });
  session.on('Network.loadingFailed', (event) => {
    const entry = open.get(event.requestId);
    if (!entry) return;
    entry.failed = event.blockedReason ? `${event.errorText} (${event.blockedReason})` : event.errorText;
    entry.endedAt = around.now();
    open.delete(event.requestId);
  });

  function respond(entry: NetworkEntry, response: { status: number; mimeType: string; fromDiskCache?: boolean }): void {
    entry.status = response.status;
    entry.mimeType = response.mimeType;
    entry.fromCache = response.fromDiskCache ?? false;
    entry.respondedAt = around.now();
  }
}
