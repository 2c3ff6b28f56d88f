/**
 * What the witness saw, as events: each lists what came since the one before of the same lane. What was still open then (a request without an answer, a dialog,
 * a download) is listed again once it has its end, or the journal would never tell it.
 */
import type { Observation, PageSet, Witness } from '../chromium/index.ts';
import type { Facts } from '../contracts/index.ts';
import type { EvidenceBody } from '../events/index.ts';
import { boundList, JOURNAL_LIMITS } from '../events/index.ts';
import { attentionIn } from './attention-in.ts';
import { challengeIn, regionsOf, topDocument } from './look-facts.ts';

type Counts = Observation['counters'];
type Name = keyof Counts;
const NAMES = ['network', 'console', 'dialogs', 'downloads', 'popups'] as const;
type Entry<N extends Name> = Witness[N]['entries'][number];
/** Entries that are waited for; a page that leaves more than this open is not waited for. */
const MAX_WAITING = 500;
/** Entries that are kept for a lane until it is looked at: the limits of the lists are lower. */
const MAX_PENDING = 2_000;

/** What has come for one lane and was not listed yet, and how much there was of it in all. */
interface LaneNews {
  fresh: Record<Name, unknown[]>;
  dropped: Counts;
  totals: Counts;
  waiting: Record<Name, Set<unknown>>;
}

export class EvidenceLog {
  readonly #witness: Witness;
  #since = noCounts();
  readonly #lanes = new Map<PageSet, LaneNews>();

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  /**
   * The observation of a lane's page as an event; the lane's next one lists what comes after it. What belongs to no lane (a service
   * worker's request) is listed by the lane that is looked at first, and by no other.
   */
  take(seen: Observation, pages: PageSet, facts?: Facts): EvidenceBody {
    this.#handOut(pages);
    const news = this.#lane(pages);
    const { entries } = this.#witness.network;
    const mine = this.#lanes.size === 1 ? entries : entries.filter(({ targetId }) => this.#isOf(pages, targetId));
    const top = topDocument(entries, seen);
    const lists = {
      network: listed(news, 'network', ({ status, failed }) => status === undefined && failed === undefined),
      console: listed(news, 'console'),
      dialogs: listed(news, 'dialogs', ({ closedAt }) => closedAt === undefined),
      downloads: listed(news, 'downloads', ({ state }) => state === 'inProgress'),
      popups: listed(news, 'popups'),
    };
    const dropped = Object.fromEntries(
      Object.entries(lists).flatMap(([name, list]) => (list.dropped > 0 ? [[name, list.dropped]] : [])),
    );
    news.dropped = noCounts();
    return {
      type: 'evidence',
      url: seen.url,
      title: seen.title,
      page: seen.state,
      ...(seen.problem === undefined ? {} : { problem: seen.problem }),
      ...(seen.dom !== undefined && seen.text !== undefined && seen.actionable !== undefined
        ? { digests: { dom: seen.dom, text: seen.text, actionable: seen.actionable } }
        : {}),
      ...(seen.main ? { regions: regionsOf(seen) } : {}),
      ...(seen.main ? { attention: attentionIn(seen.main, seen.frames) } : {}),
      ...(top?.status === undefined ? {} : { status: top.status }),
      ...(top?.redirectedFrom === undefined ? {} : { redirected: true }),
      ...(seen.main
        ? {
            features: {
              passwordForm: seen.main.passwordFields > 0,
              challengeFrame: challengeIn(seen),
              ...(seen.main.canvases > 0 ? { canvas: true } : {}),
            },
          }
        : {}),
      counters: {
        ...news.totals,
        failed: mine.filter(({ failed, status }) => failed !== undefined || (status ?? 0) >= 400).length,
        writes: mine.filter(({ method, status }) => method !== 'GET' && (status ?? 0) >= 200 && (status ?? 0) < 300)
          .length,
      },
      dialogOpen: seen.dialogOpen,
      tabs: seen.tabs,
      ...list(
        'network',
        lists.network.kept,
        ({ requestId, startedAt, method, url, status, type, marker, failed, blocked }) => ({
          id: requestId,
          at: startedAt,
          method,
          url,
          ...(status === undefined ? {} : { status }),
          type,
          marker,
          ...(failed === undefined ? {} : { failed }),
          ...(blocked === undefined ? {} : { blocked }),
        }),
      ),
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

  /** Gives each new entry to its lane. Entries that the witness has dropped already are counted for the lane that is looked at. */
  #handOut(taker: PageSet): void {
    for (const name of NAMES) {
      const log = this.#witness[name];
      const count = log.total - this.#since[name];
      if (count <= 0) continue;
      const fresh = log.entries.slice(-count);
      const lost = count - fresh.length;
      const first = this.#lane(taker);
      first.dropped[name] += lost;
      first.totals[name] += lost;
      for (const entry of fresh) {
        const { fresh: mine, totals, dropped } = this.#lane(this.#ownerOf(entry) ?? taker);
        mine[name].push(entry);
        totals[name]++;
        if (mine[name].length <= MAX_PENDING) continue;
        mine[name].shift();
        dropped[name]++;
      }
      this.#since[name] = log.total;
    }
  }

  /** A popup happens to the page that opened it. */
  #ownerOf(entry: { targetId: string; openerId?: string }): PageSet | undefined {
    return this.#witness.ownerOf(entry.openerId ?? entry.targetId);
  }

  #isOf(pages: PageSet, targetId: string): boolean {
    return (this.#witness.ownerOf(targetId) ?? this.#witness.main) === pages;
  }

  #lane(pages: PageSet): LaneNews {
    let lane = this.#lanes.get(pages);
    if (!lane) {
      lane = {
        fresh: { network: [], console: [], dialogs: [], downloads: [], popups: [] },
        dropped: noCounts(),
        totals: noCounts(),
        waiting: {
          network: new Set(),
          console: new Set(),
          dialogs: new Set(),
          downloads: new Set(),
          popups: new Set(),
        },
      };
      this.#lanes.set(pages, lane);
    }
    return lane;
  }
}

/** First what was open and has ended, then what is new; of a long list the newest. */
function listed<N extends Name>(
  news: LaneNews,
  name: N,
  isOpen: (entry: Entry<N>) => boolean = () => false,
): { kept: Entry<N>[]; dropped: number } {
  const waiting = news.waiting[name] as Set<Entry<N>>;
  const fresh = news.fresh[name].splice(0) as Entry<N>[];
  const ended = [...waiting].filter((entry) => !isOpen(entry));
  for (const entry of ended) waiting.delete(entry);
  for (const entry of fresh) if (waiting.size < MAX_WAITING && isOpen(entry)) waiting.add(entry);
  const { kept, dropped } = boundList([...ended, ...fresh], JOURNAL_LIMITS[name]);
  return { kept, dropped: dropped + news.dropped[name] };
}

function noCounts(): Counts {
  return { network: 0, console: 0, dialogs: 0, downloads: 0, popups: 0 };
}

function list<N extends string, T, R>(name: N, entries: readonly T[], shape: (entry: T) => R): Partial<Record<N, R[]>> {
  return entries.length === 0 ? {} : ({ [name]: entries.map(shape) } as Record<N, R[]>);
}
