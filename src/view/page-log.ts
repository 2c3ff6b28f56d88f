/** What pages did beside their content: requests, console lines, dialogs, downloads and popups, each once, in order. Bounded in size. */
import { type EventOf, type JournalEvent, laneOf } from '../events/index.ts';
import { short } from './clip.ts';
import { HTML_LIMITS } from './limits.ts';

export interface LogEntry {
  kind: 'network' | 'console' | 'dialog' | 'download' | 'popup';
  /** The event number of the call after which it was seen; null where it belongs to none. */
  seq: number | null;
  lane: string;
  text: string;
  isBad: boolean;
}

export interface PageLog {
  entries: LogEntry[];
  /** Entries that are not listed here, or that the journal has counted only. */
  leftOut: number;
}

export function pageLogOf(events: readonly JournalEvent[]): PageLog {
  const calls = new Map<string, number>();
  const requests = new Map<string, LogEntry>();
  const entries: LogEntry[] = [];
  let leftOut = 0;
  for (const event of events) {
    if (event.type === 'tool_call') calls.set(event.callId, event.seq);
    if (event.type !== 'evidence') continue;
    const seq = event.callId === undefined ? null : (calls.get(event.callId) ?? null);
    for (const { id, ...found } of entriesOf(event)) {
      const entry = { ...found, seq, lane: laneOf(event) };
      const known = id === undefined ? undefined : requests.get(id);
      // The same request again, now with its answer.
      if (known) Object.assign(known, { text: entry.text, isBad: entry.isBad });
      else if (entries.length < HTML_LIMITS.logEntries) {
        entries.push(entry);
        if (id !== undefined) requests.set(id, entry);
      } else leftOut++;
    }
    for (const count of Object.values(event.dropped ?? {})) leftOut += count ?? 0;
  }
  return { entries, leftOut };
}

type Found = Pick<LogEntry, 'kind' | 'text' | 'isBad'> & { id?: string | undefined };

function entriesOf({ network, console, dialogs, downloads, popups }: EventOf<'evidence'>): Found[] {
  return [
    ...(network ?? []).map(
      ({ id, method, url, status, failed, blocked }): Found => ({
        kind: 'network',
        id,
        text: `${method} ${short(url, 300)} → ${blocked ? 'blocked' : (failed ?? status ?? 'no answer yet')}`,
        isBad: failed !== undefined || blocked === true || (status ?? 0) >= 400,
      }),
    ),
    ...(console ?? []).map(
      ({ type, text, uncaught }): Found => ({
        kind: 'console',
        text: `${uncaught ? 'uncaught' : type}: ${short(text, 300)}`,
        isBad: uncaught || type === 'error',
      }),
    ),
    ...(dialogs ?? []).map(
      ({ type, message, accepted }): Found => ({
        kind: 'dialog',
        text: `${type} “${short(message, 300)}”, ${accepted === undefined ? 'open' : accepted ? 'accepted' : 'dismissed'}`,
        isBad: false,
      }),
    ),
    ...(downloads ?? []).map(
      ({ suggestedFilename, state, url }): Found => ({
        kind: 'download',
        text: `${short(suggestedFilename)} (${state}) from ${short(url)}`,
        isBad: false,
      }),
    ),
    ...(popups ?? []).map(
      ({ url }): Found => ({ kind: 'popup', text: short(url || 'about:blank', 300), isBad: false }),
    ),
  ];
}
