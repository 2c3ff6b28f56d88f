/** The real clock, random source, network and environment, for callers outside of tests. */
import { setTimeout as wait } from 'node:timers/promises';
import { pinnedFetch } from '../net/index.ts';
import type { CallContext, CallLimits } from './call-context.ts';

export function systemContext(
  signal: AbortSignal,
  assertPublicUrl: CallContext['assertPublicUrl'],
  limits: Partial<CallLimits> = {},
  keyAccess?: CallContext['keyAccess'],
): CallContext {
  return {
    fetch: pinnedFetch,
    env: process.env,
    signal,
    random: Math.random,
    sleep: (ms, stop) => wait(ms, undefined, { signal: stop }),
    now: () => performance.now(),
    date: () => new Date(),
    assertPublicUrl,
    limits,
    keyAccess,
  };
}
