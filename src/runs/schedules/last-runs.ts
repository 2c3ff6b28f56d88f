/** The last run of a schedule. Questions: a row that names its schedule. Tasks: a run in a folder, which the schedule names. */
import { desc, inArray } from 'drizzle-orm';
import { type Queryable, schema } from '../../store/index.ts';
import type { AnyRun } from '../listing/any-run.ts';
import { folderRuns } from '../listing/list-any-runs.ts';
import type { ScheduleContext } from './schedule-context.ts';
import type { ScheduleRow } from './schedule-input.ts';

const { run } = schema;

export interface LastQuestionRun {
  id: string;
  status: (typeof schema.RUN_STATUSES)[number];
  scoring_status: (typeof schema.GRADING_STATUSES)[number];
  created_at: string;
}

/** Null for a run that is not in the folders of this server: it was removed, or another server started it. */
export interface LastTaskRun {
  id: string;
  state: AnyRun['state'] | null;
  passed: number | null;
  planned: number | null;
  created_at: string | null;
}

/** By schedule. */
export async function lastQuestionRuns(db: Queryable, ids: readonly string[]): Promise<Map<string, LastQuestionRun>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([run.scheduleId], {
      scheduleId: run.scheduleId,
      id: run.id,
      status: run.status,
      scoring_status: run.gradingStatus,
      createdAt: run.createdAt,
    })
    .from(run)
    .where(inArray(run.scheduleId, [...ids]))
    .orderBy(run.scheduleId, desc(run.createdAt));
  return new Map(
    rows.map(({ scheduleId, createdAt, ...last }) => [
      scheduleId ?? '',
      { ...last, created_at: createdAt.toISOString() },
    ]),
  );
}

type Places = Pick<ScheduleContext, 'store' | 'folders'>;

/** By their ids. */
export async function lastTaskRuns(
  { store, folders }: Places,
  ids: readonly string[],
): Promise<Map<string, LastTaskRun>> {
  if (ids.length === 0) return new Map();
  const all = new Map((await folderRuns({ db: store.db, folders })).map((found) => [found.id, found]));
  return new Map(
    ids.map((id) => {
      const { state = null, passed = null, planned = null, createdAt: created_at = null } = all.get(id) ?? {};
      return [id, { id, state, passed, planned, created_at }];
    }),
  );
}

export async function isUnderWay(places: Places, { lastRunId: id }: Pick<ScheduleRow, 'lastRunId'>): Promise<boolean> {
  return id !== null && (await lastTaskRuns(places, [id])).get(id)?.state === 'running';
}
