/** What ends an attempt from outside: the run is stopped, or the server, the browser or the page is lost. */
import type { Attempt } from './attempt.ts';
import { interruptedBy } from './endings.ts';
import { browserLost, pageCrashed, serverLost } from './faults.ts';
import type { ServerUnderTest } from './under-test.ts';

/** Ends the attempt when the run is stopped, or when the server, the browser or a lane's page is lost: an answer that can't come is not waited for. */
export function watchAttempt(attempt: Attempt, server: ServerUnderTest, outside: AbortSignal | undefined): () => void {
  const onStop = (): void => attempt.close(interruptedBy(outside?.reason));
  if (outside?.aborted) onStop();
  outside?.addEventListener('abort', onStop, { once: true });
  void server.client.lost.then((reason) => attempt.fail(serverLost(reason)));
  void server.browserGone.then((reason) => attempt.fail(browserLost(reason)));
  const { witness } = server;
  const deaf = witness.onCrash((targetId) => {
    // A crashed popup that nothing uses does no harm.
    const isUsed = witness.ownerOf(targetId)?.page?.targetId === targetId;
    if (isUsed) attempt.fail(pageCrashed(server.hasCrashedPage()));
  });
  return () => {
    outside?.removeEventListener('abort', onStop);
    deaf();
  };
}
