/** For long loops in a server, which must go on answering meanwhile. */
import { setImmediate } from 'node:timers/promises';

/** So long may a loop keep everybody else waiting. */
const LONGEST_MS = 15;

/**
 * Lets what waits have its turn, where it has had none for a while.
 * @example
 * const giveWay = givingWay();
 * for (const item of items) {
 *   read(item);
 *   await giveWay();
 * }
 */
export function givingWay(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
