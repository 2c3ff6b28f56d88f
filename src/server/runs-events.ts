/** What happens to runs, over all of them: `GET /runs/events`. Who has seen nothing begins now, with `ready`. */
import { asc, desc, gt } from 'drizzle-orm';
import { RUNS_TOPIC, type Store, schema } from '../store/index.ts';
import type { EventSourceOf } from './event-stream.ts';
import { wireGrading } from './wire-names.ts';

const { runEvent } = schema;

export function runsEvents(store: Store): EventSourceOf {
  return {
    begin: async (seen) => {
      const [newest] = await store.db.select({ id: runEvent.id }).from(runEvent).orderBy(desc(runEvent.id)).limit(1);
      const id = newest?.id ?? 0;
      // A number that is not given out yet is of another database: one that was restored, say.
      return seen === undefined || seen > id ? { id, event: 'ready', data: {} } : undefined;
    },
    since: async (id, max) => {
      const rows = await store.db
        .select()
        .from(runEvent)
        .where(gt(runEvent.id, id))
        .orderBy(asc(runEvent.id))
        .limit(max);
      return rows.map(({ id: number, event, runId, status, gradingStatus, at }) => ({
        id: number,
        event,
        data: wireGrading({ run_id: runId, status, gradingStatus, at: at.toISOString() }),
      }));
    },
    subscribe: (wake) => store.signals.subscribe(RUNS_TOPIC, wake),
  };
}
