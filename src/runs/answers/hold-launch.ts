/** A launch while it is asked: its claims are renewed, and a cancellation, here or on another server, is heard at its commit. */
import { runTopic, type Store } from '../../store/index.ts';
import { isUnderWay } from './lock-launch.ts';

export interface HeldLaunch extends Disposable {
  /** Aborted when the run was cancelled or is not this launch's any more. */
  readonly signal: AbortSignal;
}

export async function holdLaunch(
  store: Store,
  { runId, launch }: { runId: string; launch: number },
  { everyMs, renew }: { everyMs: number; renew: () => Promise<void> },
): Promise<HeldLaunch> {
  const stop = new AbortController();
  const look = () =>
    isUnderWay(store.db, runId, launch).then(
      (goesOn) => goesOn || stop.abort(new Error('the run was ended')),
      // A database that does not answer is found out by the next write.
      () => undefined,
    );
  const unsubscribe = await store.signals.subscribe(runTopic(runId), () => void look());
  // As above: a lease that could not be renewed is found out by the next write.
  const renewing = setInterval(() => void renew().catch(() => undefined), everyMs);
  await look();
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      clearInterval(renewing);
      unsubscribe();
    },
  };
}
