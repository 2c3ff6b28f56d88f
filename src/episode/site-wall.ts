/**
 * Whether a site keeps the agent out: a challenge, a rate limit, or a login that the task does not expect. By what the witness saw of the page, and
 * only where more than one sign agrees: a page about captchas is no captcha, and a page that is forbidden to the agent alone may be its own mistake.
 */
import type { EpisodeTaskSpec } from '../cases/index.ts';
import { type EvidenceBody, pageStateOf } from '../events/index.ts';
import { findBlockingPage } from '../reward/index.ts';

/** Whole titles of the pages by which the known services keep programs out. */
const CHALLENGE_TITLES =
  /^(just a moment\.{3}|attention required! \| cloudflare|access denied|pardon our interruption\.{0,3}|ddos-guard|robot check|are you a (human|robot)\??|human verification|verify(ing)? (that )?you are (a )?human\.{0,3}|security (check|verification)|(sorry, )?you have been blocked|too many requests|request blocked)$/i;

const LOGIN_WORDS = /\b(log[- ]?in|log into|sign[- ]?in|sign into|password|account)\b/i;

type Task = Pick<EpisodeTaskSpec, 'startUrl' | 'goal' | 'secrets'>;

/** A sentence that names the wall; undefined where there is none. */
export function siteWall(evidence: EvidenceBody | undefined, task: Task): string | undefined {
  // Another site that the agent went to by itself is not the one that the task is about.
  if (!evidence || !isSameSite(evidence.url, task.startUrl)) return undefined;
  const page = pageStateOf(evidence);
  const status = evidence.status ?? 0;
  const answered = status >= 400 ? `, with HTTP status ${status}` : '';
  const isTitled = CHALLENGE_TITLES.test(evidence.title.trim());
  switch (findBlockingPage(page, undefined, { expectsLogin: expectsLogin(task) })?.kind) {
    case 'challenge':
      // A form may ask for a proof of being human, and show everything else.
      if (status < 400 && !isTitled) return undefined;
      return `The site shows a challenge${answered}.`;
    case 'authWall':
      if (status === 401) return 'The site asks for a login, with HTTP status 401.';
      return evidence.features?.passwordForm && evidence.redirected
        ? 'The site has redirected to a login, which the task does not expect.'
        : undefined;
    case 'blockedStatus':
      if (status === 429) return 'The site refuses further requests for now, with HTTP status 429.';
      if (status === 451) return 'The site is not available here, with HTTP status 451.';
      return isTitled ? `The site shows a challenge (“${evidence.title.trim()}”)${answered}.` : undefined;
    default:
      return undefined;
  }
}

function expectsLogin({ startUrl, goal, secrets = [] }: Task): boolean {
  const { pathname } = new URL(startUrl);
  return secrets.length > 0 || LOGIN_WORDS.test(goal) || LOGIN_WORDS.test(pathname.replaceAll(/[/_]/g, ' '));
}

/** By the last two labels of the host, without the list of public suffixes: two sites under one suffix such as co.uk count as one. */
function isSameSite(url: string, startUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const site = (address: string): string => {
    const { hostname } = new URL(address);
    return /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
  };
  return site(url) !== '' && site(url) === site(startUrl);
}
