/** Where no request has the address of a rule: the one of the same host whose address begins most like it, as a hint for people. */
import { type NetworkRule, readAddress } from '../../cases/index.ts';
import type { SeenRequest } from './rule-result.ts';

export function nearestRequest(
  { url }: NetworkRule,
  requests: readonly SeenRequest[],
  startUrl: string,
): SeenRequest | undefined {
  const first = typeof url === 'string' ? url : (url[0] ?? '');
  const wanted = readAddress(URL.parse(first, startUrl)?.href ?? '');
  if (!wanted) return undefined;
  const [host] = /^\w+:\/\/[^/]*/.exec(wanted.key) ?? [wanted.key];
  let best: { request: SeenRequest; length: number } | undefined;
  for (const request of requests) {
    const key = readAddress(request.url)?.key ?? '';
    let length = 0;
    while (length < key.length && key[length] === wanted.key[length]) length++;
    if (length >= Math.max(host.length, best?.length ?? 0)) best = { request, length };
  }
  return best?.request;
}
