/** The cookies that responses set. The Fetch domain leaves them out of its headers; the Network domain reports them in a separate event. */
import type { Session } from '../cdp/session.ts';

/** How long to wait for that event. It may arrive before or after the response is paused, and cached responses have none. */
const WAIT_MS = 250;

/** Starts to listen. The returned function gives the `set-cookie` values of a paused response; it is called once per hop of a redirect. */
export function listenSetCookies(session: Session): (networkId: string | undefined) => Promise<string[]> {
  const reported = new Map<string, string[][]>();
  const waiting = new Map<string, (cookies: string[]) => void>();

  session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) => {
    const cookies = Object.entries(headers)
      .filter(([name]) => name.toLowerCase() === 'set-cookie')
      .flatMap(([, value]) => value.split('\n'));
    const waiter = waiting.get(requestId);
    if (waiter) return waiter(cookies);
    const hops = reported.get(requestId);
    if (hops) hops.push(cookies);
    else reported.set(requestId, [cookies]);
  });

  return async (networkId) => {
    if (networkId === undefined) return [];
    const hops = reported.get(networkId);
    const first = hops?.shift();
    if (hops?.length === 0) reported.delete(networkId);
    if (first) return first;
    const { promise, resolve } = Promise.withResolvers<string[]>();
    waiting.set(networkId, resolve);
    const timer = setTimeout(() => resolve([]), WAIT_MS);
    const cookies = await promise;
    clearTimeout(timer);
    waiting.delete(networkId);
    return cookies;
  };
}
