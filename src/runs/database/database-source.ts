/** A run that workers execute, as it is looked at: its rows in one query, journals only of what has changed, pictures from the artifacts. */
import { and, eq, sql } from 'drizzle-orm';
import type { AttemptRef, Cell } from '../../events/index.ts';
import { schema } from '../../store/index.ts';
import { feedOf, openRow } from '../../view/index.ts';
import type { LiveCell } from '../live/live-cell.ts';
import { readRow } from '../live/live-cell.ts';
import type { RunSource } from '../live/run-source.ts';
import { stopWorkRun } from '../workers/stop-work-run.ts';
import { attemptPrefix } from './attempt-columns.ts';
import { type DatabasePlaces, recordedDatabaseRun } from './recorded-database-run.ts';

const { attempt, cell, run } = schema;

/** Undefined where there is no such run, or it is of a stored dataset. */
export async function databaseSource(places: DatabasePlaces, id: string): Promise<RunSource | undefined> {
  const recorded = await recordedDatabaseRun(places, id);
  if (!recorded) return undefined;
  const { db } = places.store;
  let cells = new Map<string, LiveCell['cell']>();
  let states = new Map<string, CellNow>();
  return {
    plan: recorded.plan,
    events: recorded.events,
    result: recorded.result,
    look: async () => {
      const [row] = await db
        .select({ status: run.status, finishedAt: run.finishedAt, grades: gradeCount(id) })
        .from(run)
        .where(eq(run.id, id));
      states = new Map((await cellsNow(places, id)).map((one) => [keyOf(one), one]));
      cells = new Map((await recorded.cells()).map((one) => [keyOf(one), one]));
      const endedAt = row?.finishedAt?.toISOString();
      const isRunning = row?.status === 'running' || row?.status === 'queued';
      return { run: { plan: recorded.plan, endedAt }, isRunning, stamp: `${endedAt} ${row?.grades}` };
    },
    cell: async (_run, { index, id: cellId }, before) => {
      const planned = recorded.plan.cells[index];
      const [one, now] = planned ? [cells.get(keyOf(planned)), states.get(keyOf(planned))] : [];
      if (!one) throw new Error(`The run has no cell ${index}.`);
      // A claim whose worker is gone is none.
      const isWritten = now?.isClaimed === true;
      const stamp = `${one.attempt} ${one.attempts} ${isWritten} ${now?.written}`;
      if (before?.stamp === stamp) return before;
      const events = await recorded.events(one);
      if (events.length > 0)
        return {
          cell: one,
          ...readRow(cellId, events, await recorded.result(one, events), { isRunning: isWritten, plan: recorded.plan }),
          stamp,
          feed: feedOf({ id: cellId, caseId: one.caseId, trial: one.trial, attempt: one.attempt }, events),
        };
      const status = one.notBegun ? 'not begun' : isWritten ? 'running' : 'pending';
      return { cell: one, row: openRow(cellId, one, status), isFinal: false, stamp };
    },
    stop: () => stopWorkRun({ store: places.store, now: () => new Date() }, id),
    picture: async ({ caseId, trial, attempt: number }, file) => {
      const ref: AttemptRef = { runId: id, caseId, trial, attempt: number };
      const key = `${attemptPrefix(ref)}/screenshots/${file}`;
      if (!(await places.artifacts.head(key))) return undefined;
      const chunks: Uint8Array[] = [];
      for await (const chunk of await places.artifacts.get(key)) chunks.push(chunk as Uint8Array);
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
}

const keyOf = ({ caseId, trial }: Cell): string => JSON.stringify([caseId, trial]);

const gradeCount = (id: string) =>
  sql<number>`(select count(*) from ${schema.grade} where ${schema.grade.runId} = ${id})::int`;

interface CellNow extends Cell {
  isClaimed: boolean;
  /** How much of its last attempt there is: events that were written, or the journal. */
  written: string;
}

async function cellsNow({ store }: DatabasePlaces, id: string): Promise<CellNow[]> {
  return await store.db
    .select({
      caseId: cell.caseId,
      trial: cell.trial,
      isClaimed: sql<boolean>`${cell.state} = 'running' and ${cell.leaseUntil} > now()`,
      written: sql<string>`concat_ws(' ', ${cell.state}, ${attempt.result}, ${attempt.journal} is not null or ${attempt.journalKey} is not null,
        (select max(seq) from attempt_event e where e.run_id = ${cell.runId} and e.case_id = ${cell.caseId}
          and e.trial = ${cell.trial} and e.attempt = ${attempt.attempt}))`,
    })
    .from(cell)
    .leftJoin(
      attempt,
      and(
        eq(attempt.runId, cell.runId),
        eq(attempt.caseId, cell.caseId),
        eq(attempt.trial, cell.trial),
        sql`${attempt.attempt} = (select max(a.attempt) from attempt a where a.run_id = ${cell.runId} and a.case_id = ${cell.caseId} and a.trial = ${cell.trial})`,
      ),
    )
    .where(eq(cell.runId, id));
}
