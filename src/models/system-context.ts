/** The real clock, chance, network and environment, for whoever calls models outside of a test. */
import { setTimeout as wait } from 'node:timers/promises';
import { pinnedFetch } from '../net/index.ts';
import type { CallContext, CallLimits } from './api-provider.ts';

export function systemContext(
  signal: AbortSignal,
  assertPublicUrl: CallContext['assertPublicUrl'],
  limits: Partial<CallLimits> = {},
): CallContext {
  return {
    fetch: (url, request, addresses) => (addresses ? pinnedFetch(url, request, addresses) : fetch(url, request)),
    env: process.env,
    signal,
    random: Math.random,
    sleep: (ms, stop) => wait(ms, undefined, { signal: stop }),
    now: () => performance.now(),
    assertPublicUrl,
    limits,
  };
}
