/** How long to wait before the next request: as long as the server asks for, otherwise twice as long each time, with jitter. */
import type { CallLimits } from './call-context.ts';

/** Milliseconds; undefined when the header is not there or makes no sense. Seconds or an HTTP date. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) || !/[A-Za-z]{3}/.test(text) ? undefined : Math.max(0, date - nowMs);
}

/** Half of it is fixed and half is random: many workers must not come back at once. */
export function backoff(attempt: number, { backoffMs, maxBackoffMs }: CallLimits, random: () => number): number {
  const full = Math.min(maxBackoffMs, backoffMs * 2 ** (attempt - 1));
  return full / 2 + (full / 2) * random();
}
