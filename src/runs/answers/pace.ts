/** Calls evenly spaced, so that no minute has more than it may: bursts are what rate limits refuse. */
export interface PaceClock {
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** @returns a function that resolves when the next call may begin. */
export function pace(
  perMinute: number | null | undefined,
  { now, sleep }: PaceClock,
): (signal: AbortSignal) => Promise<void> {
  if (!perMinute) return async () => undefined;
  const gap = 60_000 / perMinute;
  let free = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const at = Math.max(now(), free);
    free = at + gap;
    const wait = at - now();
    if (wait > 0) await sleep(wait, signal);
  };
}
