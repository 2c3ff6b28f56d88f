/**
 * Milliseconds since the epoch that never jump: the wall clock when the process began, and the time that has passed since. What happened before
 * what must not depend on somebody setting the machine's clock in the meantime.
 */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
