/** The real clock, chance, network and environment, for whoever calls models outside of a test. */
import { setTimeout as wait } from 'node:timers/promises';
import type { CallContext, CallLimits } from './api-provider.ts';

export function systemContext(
  signal: AbortSignal,
  assertPublicUrl: CallContext['assertPublicUrl'],
  limits: Partial<CallLimits> = {},
): CallContext {
  return {
    fetch,
    env: process.env,
    signal,
    random: Math.random,
    sleep: (ms, stop) => wait(ms, undefined, { signal: stop }),
    now: () => performance.now(),
    assertPublicUrl,
    limits,
  };
}
