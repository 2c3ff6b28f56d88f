/** From a locator (ref, selector, role and name, text) to one element of one document; waits for it to appear. */
import type { Call } from './call.ts';
import { ToolFailure } from './failure.ts';
import type { Match, Target } from './in-page/input-actions.ts';
import type { Locator } from './locator.ts';
import { type Place, PlaceGone } from './place.ts';
import type { Tab } from './tab.ts';

export interface Found {
  tab: Tab;
  place: Place;
  number: number;
}

export interface ResolveOptions {
  /** Whether a text means the button around it, or the control that it labels. */
  retarget: boolean;
  /** Milliseconds to wait for it. */
  appearMs: number;
}

export async function resolve(call: Call, tab: Tab, locator: Locator, options: ResolveOptions): Promise<Found> {
  if ('ref' in locator) {
    const found = call.context.place(locator.ref);
    if (found.tab !== tab)
      throw new ToolFailure('bad_argument', `The ref "${locator.ref}" is of another tab (${found.tab.id}).`);
    return found;
  }
  const { nth, ...target } = locator;
  const end = performance.now() + options.appearMs;
  const watched: Watched = new Map();
  try {
    for (let round = 0; ; round++) {
      const { matches, total, problem } = await lookFor(call, tab, target, options.retarget, round > 0, watched);
      if (problem?.kind === 'bad_argument') throw new ToolFailure('bad_argument', problem.message);
      const chosen = choose(matches, nth);
      if (chosen) return { tab, place: chosen.place, number: chosen.number };
      const left = end - performance.now();
      if (left <= 0) throw notFound(target, nth, total, problem?.message, matches);
      // The second search starts at once and counts changes, so that no change is missed between the search and the wait.
      if (round > 0) await changed(call, watched, left);
    }
  } finally {
    rest(watched);
  }
}

/** The documents whose changes are counted, with the count at the last search. */
export type Watched = Map<Place, number>;

interface Placed extends Match {
  place: Place;
}

/** Whether a matching element exists, for `wait_for`. */
export async function lookFor(
  call: Call,
  tab: Tab,
  target: Target,
  retarget: boolean,
  watch: boolean,
  watched: Watched,
): Promise<{ matches: Placed[]; total: number; problem?: { kind: string; message: string } | undefined }> {
  try {
    const answers = await tab.everywhere('match', { target, retarget, watch }, call.signal);
    if (watch) for (const { place, answer } of answers) watched.set(place, answer.changes);
    const matches = answers.flatMap(({ place, answer }) => answer.matches.map((match) => ({ ...match, place })));
    const total = answers.reduce((sum, { answer }) => sum + answer.total, 0);
    return { matches, total, problem: answers.find(({ answer }) => answer.problem)?.answer.problem };
  } catch (error) {
    // The document was replaced during the search; the next one may have the element.
    if (!(error instanceof PlaceGone)) throw error;
    watched.clear();
    return { matches: [], total: 0 };
  }
}

/** Resolves when one of the documents changed or ended, and after one heartbeat at the latest. */
export async function changed(call: Call, watched: Watched, ms: number): Promise<void> {
  const places = [...watched].filter(([place]) => !place.isGone);
  if (places.length === 0) return;
  await Promise.race(
    places.map(([place, since]) =>
      place.ask('change', { since, ms }, call.signal).catch((error: unknown) => {
        if (!(error instanceof PlaceGone)) throw error;
      }),
    ),
  );
}

export function rest(watched: Watched): void {
  // The page may be closed. Then its change counting has ended with it.
  for (const place of watched.keys()) if (!place.isGone) place.ask('rest', {}, NEVER).catch(() => {});
}
const NEVER = new AbortController().signal;

/** Picks the best visible match. It must be better than all others. */
function choose(matches: readonly Placed[], nth: number | undefined): Placed | undefined {
  const shown = matches.filter(({ shown }) => shown);
  if (nth !== undefined) return (shown.length >= nth ? shown : matches)[nth - 1];
  const candidates = shown.length > 0 ? shown : matches;
  const best = Math.min(...candidates.map(({ rank }) => rank));
  const bests = candidates.filter(({ rank }) => rank === best);
  if (bests.length <= 1) return bests[0];
  const listed = bests.slice(0, 5).map(({ line }) => line);
  throw new ToolFailure(
    'ambiguous',
    `${bests.length} elements fit: ${listed.join('; ')}${bests.length > 5 ? '; …' : ''}.`,
  );
}

function notFound(
  target: Target,
  nth: number | undefined,
  total: number,
  problem: string | undefined,
  matches: readonly Placed[],
): ToolFailure {
  if (problem) return new ToolFailure('not_found', problem);
  if (nth !== undefined && matches.length > 0) {
    return new ToolFailure('not_found', `There are ${total} of ${said(target)}, and number ${nth} was requested.`);
  }
  return new ToolFailure('not_found', `There is no ${said(target)} on the page.`);
}

export function said(target: Target): string {
  if ('selector' in target) return `element "${target.selector}"`;
  if ('text' in target) return `text "${target.text}"`;
  return `${target.role}${target.name === undefined ? '' : ` "${target.name}"`}`;
}
