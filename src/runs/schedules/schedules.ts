/** Schedules in the store: made, shown, changed, deleted. A launch that could not be made today is refused as a schedule too. */
import { asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { notFound, WaymarkError } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import { draftLaunch, type LaunchContext, type Launched, launchIn } from '../answers/launch-run.ts';
import { cronProblem, timesAfter } from './cron.ts';
import { columnsOf, requestOf, type ScheduleInput, type ScheduleRow } from './schedule-input.ts';

const { dataset, provider, run, schedule } = schema;

export type ScheduleInfo = ReturnType<typeof infoOf>;

export async function createSchedule({ store, now }: LaunchContext, input: ScheduleInput): Promise<ScheduleInfo> {
  const at = now();
  assertCron(input, at);
  return await store.db.transaction(async (tx) => {
    await draftLaunch(tx, input);
    const [made] = await tx
      .insert(schedule)
      .values({ ...columnsOf(input), nextRunAt: nextOf(input, at), createdAt: at })
      .returning({ id: schedule.id });
    if (!made) throw new Error('the schedule was not written');
    return await getSchedule(tx, made.id);
  });
}

export async function updateSchedule(
  { store, now }: LaunchContext,
  id: string,
  input: ScheduleInput,
): Promise<ScheduleInfo> {
  const at = now();
  assertCron(input, at);
  return await store.db.transaction(async (tx) => {
    await getSchedule(tx, id);
    await draftLaunch(tx, input);
    await tx
      .update(schedule)
      .set({ ...columnsOf(input), nextRunAt: nextOf(input, at), lastProblem: null, updatedAt: sql`now()` })
      .where(eq(schedule.id, id));
    return await getSchedule(tx, id);
  });
}

/** Its runs stay. */
export async function deleteSchedule({ store }: LaunchContext, id: string): Promise<void> {
  const gone = isUuid(id) ? await store.db.delete(schedule).where(eq(schedule.id, id)).returning() : [];
  if (gone.length === 0) throw notFound('schedule', id);
}

export async function listSchedules(db: Queryable): Promise<ScheduleInfo[]> {
  const rows = await selectSchedules(db).orderBy(asc(schedule.name), asc(schedule.id));
  const last = await lastRuns(
    db,
    rows.map(({ row }) => row.id),
  );
  return rows.map((found) => infoOf(found, last.get(found.row.id)));
}

export async function getSchedule(db: Queryable, id: string): Promise<ScheduleInfo> {
  const [found] = isUuid(id) ? await selectSchedules(db).where(eq(schedule.id, id)) : [];
  if (!found) throw notFound('schedule', id);
  return infoOf(found, (await lastRuns(db, [id])).get(id));
}

/** At once, besides its times. */
export async function runScheduleNow(context: LaunchContext, id: string): Promise<Launched> {
  return await context.store.db.transaction(async (tx) => {
    const [row] = isUuid(id) ? await tx.select().from(schedule).where(eq(schedule.id, id)) : [];
    if (!row) throw notFound('schedule', id);
    return await launchIn(context, tx, requestOf(row), { triggeredBy: 'manual', scheduleId: id });
  });
}

function assertCron(input: ScheduleInput, now: Date): void {
  const problem = cronProblem(input, now);
  if (problem === undefined) return;
  const hint = 'For example: 0 3 * * 1-5 is at three in the night from Monday to Friday.';
  throw new WaymarkError({ code: 'cron_invalid', message: problem, hint });
}

function nextOf(input: ScheduleInput, now: Date): Date | null {
  return input.enabled ? (timesAfter(input, now, 1)[0] ?? null) : null;
}

function selectSchedules(db: Queryable) {
  return db
    .select({
      row: schedule,
      dataset: { id: dataset.id, name: dataset.name, item_count: dataset.itemCount },
      provider: { id: provider.id, name: provider.name },
    })
    .from(schedule)
    .innerJoin(dataset, eq(dataset.id, schedule.datasetId))
    .innerJoin(provider, eq(provider.id, schedule.providerId))
    .$dynamic();
}

interface LastRun {
  id: string;
  status: (typeof schema.RUN_STATUSES)[number];
  scoring_status: (typeof schema.GRADING_STATUSES)[number];
  created_at: string;
}

async function lastRuns(db: Queryable, ids: readonly string[]): Promise<Map<string, LastRun>> {
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

interface Found {
  row: ScheduleRow;
  dataset: { id: string; name: string; item_count: number };
  provider: { id: string; name: string };
}

function infoOf({ row, ...about }: Found, last: LastRun | undefined) {
  const { sections, item_ids, max_items, params, judge, label, concurrency, requests_per_minute } = requestOf(row);
  return {
    id: row.id,
    name: row.name,
    cron: row.cron,
    timezone: row.timezone,
    enabled: row.enabled,
    ...about,
    dataset_id: row.datasetId,
    provider_id: row.providerId,
    model: row.model,
    sections: sections ?? null,
    item_ids: item_ids ?? null,
    max_items: max_items ?? null,
    params: params ?? null,
    judge: judge ?? null,
    label: label ?? null,
    concurrency: concurrency ?? null,
    requests_per_minute: requests_per_minute ?? null,
    next_run_at: row.nextRunAt?.toISOString() ?? null,
    last_fired_at: row.lastFiredAt?.toISOString() ?? null,
    last_run: last ?? null,
    /** Why the last time came to nothing. */
    last_problem: row.lastProblem,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
