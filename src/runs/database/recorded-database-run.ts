/** A run of tasks in the database, with its journals and artifacts, as pages and comparisons read it. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import { type AttemptRef, type Cell, episodeResult, type JournalEvent } from '../../events/index.ts';
import type { OutcomeClass } from '../../metrics/index.ts';
import { type Artifacts, isUuid, type Queryable, type Store, schema } from '../../store/index.ts';
import { attemptPath } from '../folder/attempt-folders.ts';
import type { RecordedCell } from '../folder/recorded-cells.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { DatabaseRunStore } from './database-run-store.ts';
import { readEvents } from './read-events.ts';

const { attempt, cell, run } = schema;

export interface DatabasePlaces {
  readonly store: Store;
  readonly artifacts: Artifacts;
}

/** Undefined where there is no such run, or it is of a stored dataset. */
export async function recordedDatabaseRun(places: DatabasePlaces, id: string): Promise<RecordedRun | undefined> {
  const { db } = places.store;
  const [row] = isUuid(id)
    ? await db
        .select({ finishedAt: run.finishedAt })
        .from(run)
        .where(and(eq(run.id, id), sql`${run.datasetId} is null`))
    : [];
  const runs = new DatabaseRunStore(places);
  const plan = row && (await runs.plan(id));
  if (!plan) return undefined;
  const refOf = ({ caseId, trial, attempt: number }: RecordedCell): AttemptRef => ({
    runId: id,
    caseId,
    trial,
    attempt: number,
  });
  return {
    plan,
    endedAt: row.finishedAt?.toISOString(),
    cells: async () => {
      const attempts = Map.groupBy(await attemptRows(db, id), keyOf);
      return plan.cells.map((one) => {
        const oracleSteps = plan.oracleSteps?.[one.caseId];
        const quarantine = plan.quarantined?.[one.caseId];
        return {
          ...recordedCell(one, attempts.get(keyOf(one)) ?? []),
          ...(oracleSteps === undefined ? {} : { oracleSteps }),
          ...(quarantine === undefined ? {} : { quarantine }),
        };
      });
    },
    events: async (one) => (one.attempts === 0 ? [] : await wholeEvents(places, refOf(one))),
    result: async (one, events) =>
      episodeResult(events, {
        artifacts: { eventsJsonl: `${one.folder}/events.jsonl`, reportJson: 'report.json' },
        oracleSteps: one.oracleSteps,
        grades: await runs.grades(refOf(one)),
      }),
  };
}

const keyOf = ({ caseId, trial }: Cell): string => JSON.stringify([caseId, trial]);

interface AttemptRow extends Cell {
  attempt: number;
  isFinished: boolean;
  notBegun: string | null;
  outcome: string | null;
}

function attemptRows(db: Queryable, runId: string): Promise<AttemptRow[]> {
  return db
    .select({
      caseId: attempt.caseId,
      trial: attempt.trial,
      attempt: attempt.attempt,
      isFinished: sql<boolean>`${attempt.result} is not null`,
      notBegun: attempt.notBegun,
      outcome: attempt.errorCode,
    })
    .from(attempt)
    .where(eq(attempt.runId, runId))
    .orderBy(asc(attempt.attempt));
}

/** As recorded-cells.ts has it of folders: the last finished attempt counts, or else the last. */
function recordedCell(one: Cell, rows: readonly AttemptRow[]): RecordedCell {
  const counts = rows.findLast(({ isFinished }) => isFinished) ?? rows.at(-1);
  const folderOf = (number: number): string => attemptPath({ ...one, attempt: number });
  return {
    ...one,
    folder: folderOf(counts?.attempt ?? 1),
    attempt: counts?.attempt ?? 1,
    attempts: rows.length,
    earlier: rows.filter((row) => row !== counts).map((row) => folderOf(row.attempt)),
    ...(counts?.notBegun == null
      ? {}
      : { notBegun: { reason: counts.notBegun, outcome: (counts.outcome ?? 'env_error') as OutcomeClass } }),
  };
}

/** None of a damaged journal: it counts as an attempt that was cut off. */
async function wholeEvents({ store, artifacts }: DatabasePlaces, ref: AttemptRef): Promise<JournalEvent[]> {
  try {
    const events: JournalEvent[] = [];
    for await (const event of readEvents({ db: store.db, artifacts }, ref)) events.push(event);
    return events;
  } catch (error) {
    if (error instanceof WaymarkError && error.code === 'journal_corrupt') return [];
    throw error;
  }
}

/** How much of a run there is: while it is the same, what was read of it is still true. */
export async function databaseStamp(db: Queryable, runId: string): Promise<string> {
  const { rows } = await db.execute<{ stamp: string }>(sql`
    select concat_ws(' ', (select updated_at from ${run} where id = ${runId}),
      (select count(*) from ${attempt} where run_id = ${runId} and result is not null),
      (select max(id) from ${schema.grade} where run_id = ${runId}),
      (select string_agg(state, '' order by seq) from ${cell} where run_id = ${runId})) as stamp`);
  return rows[0]?.stamp ?? '';
}
