/** The facts that a contract is evaluated on, from one look of the witness and its logs. */
import { domFactsOf, type Observation, type Witness } from '../chromium/index.ts';
import { type DomFacts, type Facts, type FactsNeeded, readsDom } from '../contracts/index.ts';

type NetworkEntry = Witness['network']['entries'][number];

/**
 * The answer that the page itself came with: the newest document of its main frame (whose id is the target's) that was asked for by its
 * address. A download is a document that never became the page; where a script has changed the address, the newest one must do.
 */
export function topDocument(entries: readonly NetworkEntry[], seen: Observation): NetworkEntry | undefined {
  const isTop = ({ type, frameId, targetId, status }: NetworkEntry): boolean =>
    type === 'Document' && targetId === seen.targetId && frameId === targetId && status !== undefined;
  const address = bare(seen.url);
  return entries.findLast((entry) => isTop(entry) && bare(entry.url) === address) ?? entries.findLast(isTop);
}

function bare(url: string): string {
  return url.replace(/#.*$/s, '');
}

export interface Moments {
  contractEnter: number;
  lastToolCall: number;
}

/** The facts that a contract needs, from one look and the logs. What could not be seen is left out, with the reason. */
export function factsFrom(seen: Observation, witness: Witness, needed: FactsNeeded, moments: Moments): Facts {
  const { main } = seen;
  return {
    ...(needed.ts ? { ts: seen.at } : {}),
    ...(needed.url ? { url: seen.url } : {}),
    ...(readsDom(needed) ? domSeen(seen) : {}),
    ...(needed.network
      ? {
          network: witness.network.entries.flatMap(responseOf),
          markers: { contract_enter: moments.contractEnter, last_tool_call: moments.lastToolCall },
        }
      : {}),
    ...(needed.dialogs
      ? {
          dialogs: {
            // In the whole context, as requests are: another lane's dialog is the agent's dialog, too.
            open: seen.dialogOpen || witness.pages.some(({ openDialog }) => openDialog !== undefined),
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
  };
}

function responseOf({ url, status, respondedAt, startedAt, blocked }: NetworkEntry): NonNullable<Facts['network']> {
  if (blocked) return [{ url, status: 'blocked', ts: startedAt }];
  return status === undefined || respondedAt === undefined ? [] : [{ url, status, ts: respondedAt }];
}

function domSeen({ main, state, problem }: Observation): DomFacts {
  if (main) return domFactsOf(main);
  const why = problem === undefined ? `The page is ${state}.` : `The look at the page failed: ${problem}`;
  return { unavailable: { dom: why } };
}

/** Frames in which the known services ask for a proof of being human. */
const CHALLENGES = /(^|\.)(hcaptcha\.com|challenges\.cloudflare\.com|recaptcha\.net|arkoselabs\.com)$/;

export function challengeIn({ frames }: Observation): boolean {
  return frames.some(isChallenge);
}

function isChallenge({ url }: { url: string }): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return (
    CHALLENGES.test(hostname) || (/(^|\.)google\.com$/.test(hostname) && /^\/recaptcha\/.*\/bframe/.test(pathname))
  );
}

/** The parts of a page. A frame is one of its own: an advertisement that turns is noise, a form that changes is not. */
export function regionsOf({ main, frames }: Observation): Record<string, string> {
  const inFrames = frames.map(({ url, dom }, index) => [`frame.${index + 1} ${url.slice(0, 200)}`, dom]);
  return { ...main?.regions, ...Object.fromEntries(inFrames) };
}
