/** The facts that a contract is evaluated on, from one look of the witness and its logs. */
import type { Observation, Witness } from '../chromium/index.ts';
import type { Facts, FactsNeeded } from '../contracts/index.ts';

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
  const unavailable: Record<string, string> = {};
  const wantsDom = needed.domText.length + needed.domCount.length > 0;
  if (wantsDom && !main) unavailable['dom'] = whyUnseen(seen);
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
    ...(Object.keys(unavailable).length > 0 ? { unavailable } : {}),
  };
}

function whyUnseen({ state, problem }: Observation): string {
  return problem === undefined ? `The page is ${state}.` : `The look at the page failed: ${problem}`;
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
