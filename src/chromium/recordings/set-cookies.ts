/** The cookies that responses set: the Fetch domain leaves them out of its headers, the Network domain tells them in an event of its own. */
import type { Session } from '../cdp/session.ts';

/** That event may come before or after the response is held; some responses (from a cache) have none. */
const WAIT_MS = 250;

/** Listens from now on. The function that comes back gives the `set-cookie` values of a response that is held; a redirect is asked for each hop. */
export function listenSetCookies(session: Session): (networkId: string | undefined) => Promise<string[]> {
  const told = new Map<string, string[][]>();
  const waiting = new Map<string, (cookies: string[]) => void>();

  session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) => {
    const cookies = Object.entries(headers)
      .filter(([name]) => name.toLowerCase() === 'set-cookie')
      .flatMap(([, value]) => value.split('\n'));
    const waiter = waiting.get(requestId);
    if (waiter) return waiter(cookies);
    const hops = told.get(requestId);
    if (hops) hops.push(cookies);
    else told.set(requestId, [cookies]);
  });

  return async (networkId) => {
    if (networkId === undefined) return [];
    const hops = told.get(networkId);
    const first = hops?.shift();
    if (hops?.length === 0) told.delete(networkId);
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
