/** What the pages and workers of a context need from their witness, made of its parts. */
import type { ContextLogs } from './context-logs.ts';
import type { ContextSettings } from './context-settings.ts';
import type { RequestRecorder } from './request-recorder.ts';
import type { Surroundings } from './surroundings.ts';
import type { TargetHub } from './target-hub.ts';
import { watchWorker } from './watch-worker.ts';

export interface WitnessParts {
  readonly hub: TargetHub;
  readonly logs: ContextLogs;
  readonly settings: ContextSettings;
  readonly recorder: () => RequestRecorder | undefined;
  readonly onOrigin: (origin: string) => void;
  readonly onCrashed: (targetId: string) => void;
}

export function makeSurroundings({ hub, logs, settings, recorder, onOrigin, onCrashed }: WitnessParts): Surroundings {
  const { connection } = hub;
  const around: Surroundings = {
    now: logs.now,
    marker: () => logs.marker,
    network: logs.network,
    console: logs.console,
    wasBlocked: (requestId, url) => logs.wasBlocked(requestId, url),
    blocksSocket: (url) => settings.blocksSocket(url),
    recorder,
    session: (sessionId) => connection.session(sessionId),
    forget: (sessionId) => connection.forget(sessionId, 'its page is gone'),
    prepare: (session, kind) => settings.forPage(session, kind),
    untilResumed: async (targetId) => {
      const { pausedPages, root } = connection;
      if (!pausedPages.hasClients) return;
      // A page is announced to all its clients at once, so the answer to a later request comes after the last announcement.
      await root.send('Target.getTargetInfo', { targetId });
      await pausedPages.untilResumed(targetId);
    },
    onWorker: (session, targetId) => watchWorker(session, targetId, around, settings),
    onOrigin,
    onCrashed,
    onDialogOpened: (targetId, dialog) => logs.dialogOpened(targetId, dialog),
    onDialogClosed: (entry, accepted) => logs.dialogClosed(entry, accepted),
  };
  return around;
}
