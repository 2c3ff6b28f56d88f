/**
 * What the witness saw, as events: each lists what came since the one before. What was still open then (a request without an answer, a dialog,
 * a download) is listed again once it has its end, or the journal would never tell it.
 */
import type { Observation, Witness } from '../chromium/index.ts';
import type { Facts } from '../contracts/index.ts';
import type { EvidenceBody } from '../events/index.ts';
import { boundList, JOURNAL_LIMITS } from '../events/index.ts';
import { challengeIn, frameRegions, topDocument } from './look-facts.ts';

type Counts = Observation['counters'];
type Name = keyof Counts;
type Entry<N extends Name> = Witness[N]['entries'][number];
/** Entries that are waited for; a page that leaves more than this open is not waited for. */
const MAX_WAITING = 500;

export class EvidenceLog {
  readonly #witness: Witness;
  #since: Counts = { network: 0, console: 0, dialogs: 0, downloads: 0, popups: 0 };
  readonly #waiting: Readonly<Record<Name, Set<unknown>>> = {
    network: new Set(),
    console: new Set(),
    dialogs: new Set(),
    downloads: new Set(),
    popups: new Set(),
  };

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  /** The observation as an event; the next one lists what comes after it. */
  take(seen: Observation, facts?: Facts): EvidenceBody {
    const { network, console, dialogs, downloads, popups } = this.#witness;
    const { entries } = network;
    const top = topDocument(entries, seen);
    const lists = {
      network: this.#news('network', network, ({ status, failed }) => status === undefined && failed === undefined),
      console: this.#news('console', console),
      dialogs: this.#news('dialogs', dialogs, ({ closedAt }) => closedAt === undefined),
      downloads: this.#news('downloads', downloads, ({ state }) => state === 'inProgress'),
      popups: this.#news('popups', popups),
    };
    const dropped = Object.fromEntries(
      Object.entries(lists).flatMap(([name, list]) => (list.dropped > 0 ? [[name, list.dropped]] : [])),
    );
    this.#since = seen.counters;
    return {
      type: 'evidence',
      url: seen.url,
      title: seen.title,
      page: seen.state,
      ...(seen.dom !== undefined && seen.text !== undefined && seen.actionable !== undefined
        ? { digests: { dom: seen.dom, text: seen.text, actionable: seen.actionable } }
        : {}),
      ...(seen.main ? { regions: { ...seen.main.regions, ...frameRegions(seen) } } : {}),
      ...(top?.status === undefined ? {} : { status: top.status }),
      ...(top?.redirectedFrom === undefined ? {} : { redirected: true }),
      ...(seen.main
        ? { features: { passwordForm: seen.main.passwordFields > 0, challengeFrame: challengeIn(seen) } }
        : {}),
      counters: {
        ...seen.counters,
        failed: entries.filter(({ failed, status }) => failed !== undefined || (status ?? 0) >= 400).length,
        writes: entries.filter(({ method, status }) => method !== 'GET' && (status ?? 0) >= 200 && (status ?? 0) < 300)
          .length,
      },
      dialogOpen: seen.dialogOpen,
      tabs: seen.tabs,
      ...list('network', lists.network.kept, ({ requestId, startedAt, method, url, status, type, marker, failed }) => ({
        id: requestId,
        at: startedAt,
        method,
        url,
        ...(status === undefined ? {} : { status }),
        type,
        marker,
        ...(failed === undefined ? {} : { failed }),
      })),
      ...list('console', lists.console.kept, ({ at, type, text, uncaught, marker }) => ({
        at,
        type,
        text,
        uncaught,
        marker,
      })),
      ...list('dialogs', lists.dialogs.kept, ({ openedAt, type, message, url, marker, accepted }) => ({
        at: openedAt,
        type,
        message,
        url,
        marker,
        ...(accepted === undefined ? {} : { accepted }),
      })),
      ...list(
        'downloads',
        lists.downloads.kept,
        ({ startedAt, url, suggestedFilename, state, receivedBytes, marker }) => ({
          at: startedAt,
          url,
          suggestedFilename,
          state,
          receivedBytes,
          marker,
        }),
      ),
      ...list('popups', lists.popups.kept, ({ at, url, targetId, marker }) => ({ at, url, targetId, marker })),
      ...(Object.keys(dropped).length > 0 ? { dropped } : {}),
      ...(facts ? { facts } : {}),
    };
  }

  /** First what was open and has ended, then what is new; of a long list the newest. */
  #news<N extends Name>(
    name: N,
    log: { readonly total: number; readonly entries: readonly Entry<N>[] },
    isOpen: (entry: Entry<N>) => boolean = () => false,
  ): { kept: Entry<N>[]; dropped: number } {
    const waiting = this.#waiting[name] as Set<Entry<N>>;
    const count = log.total - this.#since[name];
    const fresh = count <= 0 ? [] : log.entries.slice(-count);
    const ended = [...waiting].filter((entry) => !isOpen(entry));
    for (const entry of ended) waiting.delete(entry);
    for (const entry of fresh) if (waiting.size < MAX_WAITING && isOpen(entry)) waiting.add(entry);
    const { kept, dropped } = boundList([...ended, ...fresh], JOURNAL_LIMITS[name]);
    return { kept, dropped: dropped + Math.max(0, count - fresh.length) };
  }
}

function list<N extends string, T, R>(name: N, entries: readonly T[], shape: (entry: T) => R): Partial<Record<N, R[]>> {
  return entries.length === 0 ? {} : ({ [name]: entries.map(shape) } as Record<N, R[]>);
}
