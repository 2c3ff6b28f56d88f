/**
 * Whether a page blocks the agent, from its structure: status code, URL, error kind, password form, challenge frame.
 * Words on the page are never read: an article about captchas is not a captcha.
 */
import type { FailureKind, PageState, TargetHints } from './types.ts';

export type BlockingPage = 'challenge' | 'authWall' | 'blockedStatus';

export interface BlockingEvidence {
  kind: BlockingPage;
  evidence: string;
}

/** Only whole path segments count: `/login` is a sign-in page, `/blog/login-tips` is not. */
const AUTH_SEGMENTS = new Set(['login', 'log-in', 'signin', 'sign-in', 'sso', 'auth', 'authorize', 'oauth', 'oauth2']);

export function findBlockingPage(
  page: PageState | undefined | null,
  errorKind: FailureKind | (string & {}) | undefined,
  target: TargetHints | undefined | null,
): BlockingEvidence | undefined {
  if (page?.features?.challengeFrame === true)
    return { kind: 'challenge', evidence: 'current.features.challengeFrame' };
  if (errorKind === 'captcha') return { kind: 'challenge', evidence: 'tool.errorKind=captcha' };
  if (target?.expectsLogin !== true) {
    const evidence = authEvidence(page, errorKind);
    if (evidence !== undefined) return { kind: 'authWall', evidence };
  }
  if (errorKind === 'blocked_page') return { kind: 'blockedStatus', evidence: 'tool.errorKind=blocked_page' };
  switch (page?.status) {
    case 403:
    case 429:
    case 451:
    case 503:
      return { kind: 'blockedStatus', evidence: `current.status=${page.status}` };
    default:
      return undefined;
  }
}

/**
 * A password form alone proves nothing (sign-up and settings pages have one), and neither does a URL.
 * Two of form, URL and redirect are needed, or an error kind that states it.
 */
function authEvidence(page: PageState | undefined | null, errorKind: string | undefined): string | undefined {
  if (errorKind === 'auth_required') return 'tool.errorKind=auth_required';
  if (page?.status === 401 || page?.status === 407) return `current.status=${page.status}`;
  const form = page?.features?.passwordForm === true;
  const redirected = page?.redirected === true;
  if (!form && !redirected) return undefined;
  if (form && redirected) return 'current.features.passwordForm, current.redirected';
  if (!hasAuthSegment(page?.url)) return undefined;
  return form ? 'current.url, current.features.passwordForm' : 'current.url, current.redirected';
}

function hasAuthSegment(url: string | undefined): boolean {
  if (typeof url !== 'string') return false;
  const scheme = url.indexOf('://');
  const path = url.indexOf('/', scheme < 0 ? 0 : scheme + 3);
  if (path < 0) return false;
  const end = url.slice(path).search(/[?#]/);
  const segments = (end < 0 ? url.slice(path) : url.slice(path, path + end)).toLowerCase().split('/');
  return segments.some((segment) => AUTH_SEGMENTS.has(segment));
}
