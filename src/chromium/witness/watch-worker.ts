/** Watches a worker as pages are watched: its requests and its console, and the workers that it starts. */
import type { Session } from '../cdp/session.ts';
import type { ContextSettings } from './context-settings.ts';
import { listenConsole } from './listen-console.ts';
import { listenNetwork } from './listen-network.ts';
import { recordRequests } from './record-requests.ts';
import type { Surroundings } from './surroundings.ts';

export async function watchWorker(
  session: Session,
  targetId: string,
  around: Surroundings,
  settings: ContextSettings,
): Promise<void> {
  listenNetwork(session, targetId, around);
  listenConsole(session, targetId, around);
  recordRequests(session, targetId, around);
  // A dedicated worker may start others, which are not announced to the page.
  session.on('Target.attachedToTarget', ({ sessionId }) => {
    // A worker may end before it is set up; then there is nothing to watch.
    void around.onWorker(around.session(sessionId), targetId).catch(() => {});
  });
  session.on('Target.detachedFromTarget', ({ sessionId }) => around.forget(sessionId));
  await Promise.allSettled([
    session.send('Runtime.enable'),
    session.send('Network.enable', {}),
    ...settings.forWorker(session),
    session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    session.send('Runtime.runIfWaitingForDebugger'),
  ]);
}
