/**
 * Milliseconds since the epoch that never jump: the wall clock when the process began, and the time that has passed since. What happened before
 * what must not depend on the machine's clock, which may be set in the meantime.
 */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
