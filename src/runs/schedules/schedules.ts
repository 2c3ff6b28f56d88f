/** Schedules in the store: made, changed, deleted, run at once. What could not be launched or started today is refused as a schedule too. */
import { eq, sql } from 'drizzle-orm';
import { notFound, WaymarkError } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import { draftLaunch, type LaunchContext, type Launched, launchIn } from '../answers/launch-run.ts';
import { assertStart, starterOr } from '../started/task-starter.ts';
import { cronProblem, timesAfter } from './cron.ts';
import type { ScheduleContext } from './schedule-context.ts';
import { getSchedule, type ScheduleInfo } from './schedule-info.ts';
import { columnsOf, requestOf, type ScheduleInput, type ScheduleRow } from './schedule-input.ts';
import { startTasks } from './start-tasks.ts';

const { schedule } = schema;

export async function createSchedule(context: ScheduleContext, input: ScheduleInput): Promise<ScheduleInfo> {
  const at = context.now();
  assertCron(input, at);
  await assertTasks(context, input);
  const id = await context.store.db.transaction(async (tx) => {
    if (!('tasks' in input)) await draftLaunch(tx, input);
    const [made] = await tx
      .insert(schedule)
      .values({ ...columnsOf(input), nextRunAt: nextOf(input, at), createdAt: at })
      .returning({ id: schedule.id });
    if (!made) throw new Error('the schedule was not written');
    return made.id;
  });
  return await getSchedule(context, id);
}

export async function updateSchedule(
  context: ScheduleContext,
  id: string,
  input: ScheduleInput,
): Promise<ScheduleInfo> {
  const at = context.now();
  assertCron(input, at);
  const before = await rowOf(context.store.db, id);
  // Also a server that starts nothing can disable what another one would start.
  if (input.enabled || before.datasetId !== null) await assertTasks(context, input);
  await context.store.db.transaction(async (tx) => {
    if (!('tasks' in input)) await draftLaunch(tx, input);
    await tx
      .update(schedule)
      .set({ ...columnsOf(input), nextRunAt: nextOf(input, at), lastProblem: null, updatedAt: sql`now()` })
      .where(eq(schedule.id, id));
  });
  return await getSchedule(context, id);
}

/** Its runs stay. */
export async function deleteSchedule({ store }: LaunchContext, id: string): Promise<void> {
  const gone = isUuid(id) ? await store.db.delete(schedule).where(eq(schedule.id, id)).returning() : [];
  if (gone.length === 0) throw notFound('schedule', id);
}

/** A run of tasks has begun; one of questions waits for its turn. */
export interface StartedNow {
  run_id: string;
  status: 'running';
}

/** At once, besides its times. */
export async function runScheduleNow(context: ScheduleContext, id: string): Promise<Launched | StartedNow> {
  const request = requestOf(await rowOf(context.store.db, id));
  if ('tasks' in request) {
    const starter = starterOr(context.starter);
    return { run_id: await startTasks({ store: context.store, starter }, id, request.tasks), status: 'running' };
  }
  return await context.store.db.transaction((tx) =>
    launchIn(context, tx, request, { triggeredBy: 'manual', scheduleId: id }),
  );
}

async function rowOf(db: Queryable, id: string): Promise<ScheduleRow> {
  const [row] = isUuid(id) ? await db.select().from(schedule).where(eq(schedule.id, id)) : [];
  if (!row) throw notFound('schedule', id);
  return row;
}

async function assertTasks({ starter }: ScheduleContext, input: ScheduleInput): Promise<void> {
  if ('tasks' in input) await assertStart(starterOr(starter), input.tasks);
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
