/**
 * The first check of every request: is it for this server, did our own page send it, and does it have the token?
 * Host stops DNS rebinding. Origin and Sec-Fetch-Site stop other sites from using the user's browser to send requests.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isSameSecret } from '../net/index.ts';
import type { Access } from './access.ts';
import { problem } from './problem.ts';
import type { AppEnv } from './route-module.ts';
import { ownAddress, SIGN_IN_PATH, signIn, signInPage, wantsPage } from './sign-in.ts';

export const COOKIE = 'waymark_token';
/** For load balancers. These routes reveal nothing. */
export const OPEN: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export function guard(access: Access): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const host = c.req.header('host') ?? '';
    if (!access.isOurHost(host)) {
      return problem({
        code: 'host_refused',
        detail: 'The Host header does not name this server.',
        hint: 'Behind a proxy, start the server with --allow-host and the name that people use.',
      });
    }
    if (!isSameOrigin(c, host)) {
      return problem({
        code: 'origin_refused',
        detail: 'Another site may not send requests to this server.',
      });
    }
    if (access.token !== undefined && !OPEN.has(c.req.path)) {
      const entered = await enter(c, access.token);
      if (entered) return entered;
      if (!isAuthorised(c, access.token)) {
        if (wantsPage(c)) return signInPage(c);
        return problem({
          code: 'token_required',
          detail: 'This server asks for its token.',
          hint: `Open ${SIGN_IN_PATH} in a browser and enter it, or send Authorization: Bearer <token>.`,
          headers: { 'www-authenticate': 'Bearer' },
        });
      }
    }
    return next();
  };
}

function isSameOrigin(c: Context, host: string): boolean {
  const origin = c.req.header('origin');
  // A proxy may terminate https, so the scheme is not known here.
  if (origin !== undefined) return origin === `http://${host}` || origin === `https://${host}`;
  const site = c.req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  // A link from another site may open our page, but it must not embed it or send data.
  return (
    c.req.method === 'GET' &&
    c.req.header('sec-fetch-mode') === 'navigate' &&
    c.req.header('sec-fetch-dest') === 'document'
  );
}

function isAuthorised(c: Context, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  return [bearer, getCookie(c, COOKIE)].some((given) => given !== undefined && isSameSecret(given, token));
}

/**
 * The printed address carries the token once, or the sign-in page's form sends it. Then a cookie carries it, and the address bar does not.
 * Undefined: the request is neither.
 */
async function enter(c: Context<AppEnv>, token: string): Promise<Response | undefined> {
  if (c.req.path === SIGN_IN_PATH && c.req.method === 'POST') {
    const answer = await signIn(c, token);
    return answer instanceof Response ? answer : welcome(c, token, answer.next);
  }
  if (c.req.method !== 'GET') return undefined;
  const url = new URL(c.req.url);
  const given = url.searchParams.get('token');
  if (given === null || !isSameSecret(given, token)) return undefined;
  url.searchParams.delete('token');
  return welcome(c, token, ownAddress(`${url.pathname}${url.search}`));
}

function welcome(c: Context, token: string, next: string): Response {
  setCookie(c, COOKIE, token, { httpOnly: true, sameSite: 'Strict', path: '/' });
  return c.redirect(next, 303);
}
