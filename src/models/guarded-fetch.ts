/**
 * The `fetch` of every model library. Each request goes only to addresses that were checked for it, without redirects, and each reply is read
 * whole and within a limit. Whatever is not a success becomes a `CallFailure` here, so that all providers fail in the same way.
 */
import type { LookupAddress } from 'node:dns';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { RedirectRefused } from '../net/index.ts';
import { type CallContext, limitsOf } from './call-context.ts';
import { CallFailure } from './call-failure.ts';
import { classifyStatus } from './classify-status.ts';
import { readBody } from './read-body.ts';

/** Where the libraries put a key; one of them finds keys in the environment by itself. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

export interface FetchOptions {
  /** False: the endpoint takes no key, and gets none. */
  readonly hasKey: boolean;
  readonly hide: (text: string) => string;
}

export function guardedFetch(context: CallContext, { hasKey, hide }: FetchOptions): typeof fetch {
  const { maxReplyBytes } = limitsOf(context);
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const { signal = context.signal, method = 'GET', body = '' } = init;
    if (typeof body !== 'string') throw new TypeError('Only text is sent to a model.');
    const headers = new Headers(init.headers);
    if (!hasKey) for (const name of KEY_HEADERS) headers.delete(name);
    const addresses = await check(url, context);
    try {
      const response = await context.fetch(
        url,
        { method, headers: Object.fromEntries(headers), body, redirect: 'error', signal: signal ?? context.signal },
        addresses,
      );
      if (!response.ok) throw classifyStatus(await failedReply(response, maxReplyBytes), hide);
      const { status } = response;
      const text = await readBody(response, maxReplyBytes);
      return new Response(status === 204 || status === 205 ? null : text, { status, headers: response.headers });
    } catch (thrown) {
      signal?.throwIfAborted();
      if (thrown instanceof CallFailure) throw thrown;
      if (thrown instanceof RedirectRefused) throw new CallFailure('redirect_refused', thrown.message, thrown);
      const cause = thrown instanceof Error && thrown.cause !== undefined ? ` (${messageOf(thrown.cause)})` : '';
      throw new CallFailure('network', hide(`The connection failed: ${messageOf(thrown)}${cause}.`));
    }
  };
}

async function check(url: string, { assertPublicUrl }: CallContext): Promise<readonly LookupAddress[]> {
  try {
    return await assertPublicUrl(url);
  } catch (thrown) {
    const hint = thrown instanceof WaymarkError && thrown.hint !== undefined ? ` ${thrown.hint}` : '';
    throw new CallFailure('address_refused', `${messageOf(thrown)}${hint}`);
  }
}

async function failedReply(response: Response, maxBytes: number) {
  const { status, headers } = response;
  try {
    return { status, headers, body: await readBody(response, maxBytes) };
  } catch (thrown) {
    // The status says more than the length of what came with it.
    if (thrown instanceof CallFailure) return { status, headers, body: '' };
    throw thrown;
  }
}
