/** Signing in by browser on a server with a token: the page that asks for the token, and the form that it sends. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { isSameSecret } from '../net/index.ts';
import type { AppEnv } from './route-module.ts';

export const SIGN_IN_PATH = '/sign-in';
const HOME = '/app/';
/** A token and an address. The guard runs before the limits of request bodies, so this form has its own. */
const LONGEST_FORM = 8_192;

/** Whether a person's browser asks for a page. Programs get the refusal as a problem. */
export function wantsPage(c: Context): boolean {
  return c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html');
}

/** The page in the place of the one that was asked for, or of `?next=` at its own address. */
export function signInPage(c: Context<AppEnv>): Response | Promise<Response> {
  const { pathname, search, searchParams } = new URL(c.req.url);
  const asked = pathname === SIGN_IN_PATH ? (searchParams.get('next') ?? HOME) : `${pathname}${search}`;
  return page(c, { next: ownAddress(asked), problem: undefined });
}

/** The address to go to with a new cookie, or the page again. */
export async function signIn(c: Context<AppEnv>, token: string): Promise<{ next: string } | Response> {
  const length = Number(c.req.header('content-length') ?? Number.NaN);
  const form = length <= LONGEST_FORM ? await c.req.parseBody() : {};
  const next = ownAddress(typeof form['next'] === 'string' ? form['next'] : HOME);
  const given = typeof form['token'] === 'string' ? form['token'].trim() : '';
  if (isSameSecret(given, token)) return { next };
  return page(c, { next, problem: 'That is not the token of this server.' });
}

/** A path of this server, whatever was sent: `//elsewhere.test` and its variants would lead to another one. */
export function ownAddress(text: string): string {
  const here = 'http://here.invalid';
  if (!URL.canParse(text, here)) return HOME;
  const { origin, pathname, search } = new URL(text, here);
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}` : HOME;
}

function page(c: Context<AppEnv>, { next, problem }: { next: string; problem: string | undefined }) {
  c.header('www-authenticate', 'Bearer');
  return c.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in · Waymark</title>
<style nonce="${c.get('nonce')}">
body { margin: 0; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #0f1216); color: light-dark(#1a1f27, #e6e9ee); }
main { display: grid; gap: 1rem; max-width: 24rem; margin: 10vh auto 0; padding: 1.5rem; border: 1px solid light-dark(#dde1e7, #2c333d); border-radius: 8px; background: light-dark(#fff, #171b21); }
h1, p { margin: 0; }
h1 { font-size: 1.375rem; }
form { display: grid; gap: 0.5rem; }
label { font-weight: 600; }
input, button { box-sizing: border-box; width: 100%; padding: 0.5rem; border: 1px solid light-dark(#838c99, #6f7a89); border-radius: 6px; background: light-dark(#fff, #171b21); color: inherit; font: inherit; }
button { margin-top: 0.5rem; border-color: transparent; background: light-dark(#0f5fb8, #7ab5f5); color: light-dark(#fff, #0b1622); font-weight: 600; cursor: pointer; }
.problem { color: light-dark(#b3261e, #ff9a91); }
</style>
</head>
<body>
<main>
<h1>Sign in to Waymark</h1>
<p>This server was started with a token. It is in the address that <code>waymark serve</code> printed; with a token of your own, it is the value of <code>--token</code> or <code>WAYMARK_TOKEN</code>.</p>
<form method="post" action="${SIGN_IN_PATH}">
<input type="hidden" name="next" value="${next}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${problem ? html` aria-invalid="true" aria-describedby="problem"` : ''}>
${problem ? html`<p id="problem" class="problem" role="alert">${problem}</p>` : ''}
<button>Sign in</button>
</form>
</main>
</body>
</html>
`,
    401,
  );
}
