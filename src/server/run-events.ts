/** The log of a run as events: `GET /runs/{id}/events` is `eventStream(c, runEvents(store, id), …)`. */
import { and, asc, eq, gt } from 'drizzle-orm';
import { runTopic, type Store, schema } from '../store/index.ts';
import type { EventSourceOf } from './event-stream.ts';

const { runLog } = schema;

export function runEvents(store: Store, runId: string): EventSourceOf {
  return {
    since: async (id, max) => {
      const lines = await store.db
        .select()
        .from(runLog)
        .where(and(eq(runLog.runId, runId), gt(runLog.seq, id)))
        .orderBy(asc(runLog.seq))
        .limit(max);
      return lines.map(({ seq, at, level, code, message, data }) => ({
        id: seq,
        event: code,
        data: { at: at.toISOString(), level, code, message, data },
      }));
    },
    subscribe: (wake) => store.signals.subscribe(runTopic(runId), wake),
  };
}
