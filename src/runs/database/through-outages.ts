/** Goes on after a database or an object store that was away for a while: PostgreSQL that is restarted, a bucket that answers 503. */
import { setTimeout as wait } from 'node:timers/promises';
import { causesOf, sqlStateOf, WaymarkError } from '../../errors/index.ts';

export interface Patience {
  /** For the whole outage. */
  readonly forMs: number;
  /** Told once for each thing that has to wait. */
  readonly onWait?: ((error: unknown) => void) | undefined;
}

/** Does something again until it is done, or until what failed is no outage. Aborted: it is not tried again. */
export type Steadily = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** For those who handle an outage themselves. */
export const once: Steadily = (work) => work();

const PAUSES_MS = [100, 250, 500, 1_000, 2_000];

/** What is done must be such that doing it twice is doing it once: the answer to the first try may have been lost. */
export function throughOutages({ forMs, onWait }: Patience): Steadily {
  return async (work, signal) => {
    const end = performance.now() + forMs;
    for (let tries = 0; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!isOutage(error) || signal?.aborted || performance.now() > end) throw error;
        if (tries === 0) onWait?.(error);
        // An aborted pause is followed by one last try.
        await wait(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)], undefined, signal ? { signal } : {}).catch(
          () => {},
        );
      }
    }
  };
}

const CODES = new Set(['database_unreachable', 'artifacts_unreachable', 'artifacts_failed']);
/** Lost connections, a server that stops or starts, too many connections. */
const STATES = /^(08|57P0[123]|53300)/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** What node-postgres says without a code. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

export function isOutage(thrown: unknown): boolean {
  return causesOf(thrown).some((cause) => {
    if (cause instanceof WaymarkError && CODES.has(cause.code)) return true;
    const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
    return (
      STATES.test(sqlStateOf(cause) ?? '') ||
      NETWORK.has(String(code)) ||
      LOST.test(typeof message === 'string' ? message : '')
    );
  });
}
