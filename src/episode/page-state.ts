/** From what the witness saw to what the journal keeps, and from there to what the pure rooms ask for. */
import type { Observation, Witness } from '../chromium/index.ts';
import type { Facts, FactsNeeded } from '../contracts/index.ts';
import type { EventOf, NewEvent } from '../journal/index.ts';
import type { PageState } from '../reward/index.ts';

/** Entries of one list that an event keeps; the rest is counted. */
const MAX_LISTED = 100;

type Counts = Observation['counters'];
type NetworkEntry = Witness['network']['entries'][number];
export type EvidenceBody = NewEvent<'evidence'>;

/** The witness's observation as an event. `since`: the counters at the evidence before. */
export function evidenceOf(seen: Observation, witness: Witness, since: Counts, facts: Facts | undefined): EvidenceBody {
  const { entries } = witness.network;
  const top = topDocument(entries, seen);
  const network = fresh(entries, witness.network.total - since.network);
  const console = fresh(witness.console.entries, witness.console.total - since.console);
  const dialogs = fresh(witness.dialogs.entries, witness.dialogs.total - since.dialogs);
  const downloads = fresh(witness.downloads.entries, witness.downloads.total - since.downloads);
  const popups = fresh(witness.popups.entries, witness.popups.total - since.popups);
  const dropped = {
    ...left('network', witness.network.total - since.network),
    ...left('console', witness.console.total - since.console),
  };
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
      ? { features: { passwordForm: seen.main.passwordFields > 0, challengeFrame: seen.frames.some(isChallenge) } }
      : {}),
    counters: {
      ...seen.counters,
      failed: entries.filter(({ failed, status }) => failed !== undefined || (status ?? 0) >= 400).length,
      writes: entries.filter(({ method, status }) => method !== 'GET' && (status ?? 0) >= 200 && (status ?? 0) < 300)
        .length,
    },
    dialogOpen: seen.dialogOpen,
    tabs: seen.tabs,
    ...list('network', network, ({ requestId, startedAt, method, url, status, type, marker, failed }) => ({
      id: requestId,
      at: startedAt,
      method,
      url,
      ...(status === undefined ? {} : { status }),
      type,
      marker,
      ...(failed === undefined ? {} : { failed }),
    })),
    ...list('console', console, ({ at, type, text, uncaught, marker }) => ({ at, type, text, uncaught, marker })),
    ...list('dialogs', dialogs, ({ openedAt, type, message, url, marker, accepted }) => ({
      at: openedAt,
      type,
      message,
      url,
      marker,
      ...(accepted === undefined ? {} : { accepted }),
    })),
    ...list('downloads', downloads, ({ startedAt, url, suggestedFilename, state, receivedBytes, marker }) => ({
      at: startedAt,
      url,
      suggestedFilename,
      state,
      receivedBytes,
      marker,
    })),
    ...list('popups', popups, ({ at, url, targetId, marker }) => ({ at, url, targetId, marker })),
    ...(Object.keys(dropped).length > 0 ? { dropped } : {}),
    ...(facts ? { facts } : {}),
  };
}

/**
 * The answer that the page itself came with. Frames inside it are documents of the same target: the page's own is the one of its address,
 * or, where a script has changed the address, the newest that is no frame's.
 */
function topDocument(entries: readonly NetworkEntry[], seen: Observation): NetworkEntry | undefined {
  const isDocument = ({ type, targetId, status }: NetworkEntry): boolean =>
    type === 'Document' && targetId === seen.targetId && status !== undefined;
  const address = bare(seen.url);
  const own = entries.findLast((entry) => isDocument(entry) && bare(entry.url) === address);
  if (own) return own;
  const frames = new Set(seen.frames.map(({ url }) => bare(url)));
  return entries.findLast((entry) => isDocument(entry) && !frames.has(bare(entry.url)));
}

function bare(url: string): string {
  return url.replace(/#.*$/s, '');
}

/** The page as the reward reads it, from the event alone: live and replayed scores are the same. */
export function pageStateOf(event: EvidenceBody | EventOf<'evidence'>): PageState {
  const { url, digests, regions, counters, status, redirected, features } = event;
  return {
    url,
    ...(digests ? { domDigest: digests.dom, textDigest: digests.text, refsDigest: digests.actionable } : {}),
    ...(regions ? { regions } : {}),
    dialogs: counters.dialogs,
    network: { requests: counters.network, failed: counters.failed, writes: counters.writes },
    ...(status === undefined ? {} : { status }),
    ...(redirected === undefined ? {} : { redirected }),
    ...(features === undefined ? {} : { features }),
  };
}

export interface Moments {
  contractEnter: number;
  lastToolCall: number;
}

/** The facts that a contract needs, from one look and the logs. What could not be seen is left out, with the reason. */
export function factsFrom(seen: Observation, witness: Witness, needed: FactsNeeded, moments: Moments): Facts {
  const { main } = seen;
  const unavailable: Record<string, string> = {};
  const wantsDom = needed.domText.length + needed.domCount.length > 0;
  if (wantsDom && !main) unavailable['dom'] = `The page is ${seen.state}.`;
  for (const [selector, problem] of Object.entries(main?.problems ?? {})) unavailable[`dom:${selector}`] = problem;
  const known = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([selector]) => unavailable[`dom:${selector}`] === undefined));
  return {
    ...(needed.ts ? { ts: seen.at } : {}),
    ...(needed.url ? { url: seen.url } : {}),
    ...(main && needed.domText.length > 0 ? { domText: known(main.domText) } : {}),
    ...(main && needed.domCount.length > 0 ? { domCount: known(main.domCount) } : {}),
    ...(needed.network
      ? {
          network: witness.network.entries.flatMap(({ url, status, respondedAt }) =>
            status === undefined || respondedAt === undefined ? [] : [{ url, status, ts: respondedAt }],
          ),
          markers: { contract_enter: moments.contractEnter, last_tool_call: moments.lastToolCall },
        }
      : {}),
    ...(needed.dialogs
      ? {
          dialogs: {
            open: seen.dialogOpen,
            seen: witness.dialogs.entries.filter(({ openedAt }) => openedAt >= moments.contractEnter).length,
          },
        }
      : {}),
    ...(needed.console
      ? { console: witness.console.entries.map(({ type, text, uncaught, at }) => ({ type, text, uncaught, ts: at })) }
      : {}),
    ...(needed.performance.length > 0 && main?.performance
      ? { performance: main.performance.map((measured) => ({ ...measured, ts: seen.at })) }
      : {}),
    ...(Object.keys(unavailable).length > 0 ? { unavailable } : {}),
  };
}

/** Frames in which the known services ask for a proof of being human. */
const CHALLENGES = /(^|\.)(hcaptcha\.com|challenges\.cloudflare\.com|recaptcha\.net|arkoselabs\.com)$/;

function isChallenge({ url }: { url: string }): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return (
    CHALLENGES.test(hostname) || (/(^|\.)google\.com$/.test(hostname) && /^\/recaptcha\/.*\/bframe/.test(pathname))
  );
}

/** A frame is a region of its own: an advertisement that turns is noise, a form that changes is not. */
function frameRegions(seen: Observation): Record<string, string> {
  return Object.fromEntries(seen.frames.map(({ url, dom }, index) => [`frame.${index + 1} ${url.slice(0, 200)}`, dom]));
}

function fresh<T>(entries: readonly T[], count: number): readonly T[] {
  return count <= 0 ? [] : entries.slice(-Math.min(count, MAX_LISTED));
}

function list<N extends string, T, R>(name: N, entries: readonly T[], shape: (entry: T) => R): Partial<Record<N, R[]>> {
  return entries.length === 0 ? {} : ({ [name]: entries.map(shape) } as Record<N, R[]>);
}

function left<N extends string>(name: N, count: number): Partial<Record<N, number>> {
  return count > MAX_LISTED ? ({ [name]: count - MAX_LISTED } as Record<N, number>) : {};
}
