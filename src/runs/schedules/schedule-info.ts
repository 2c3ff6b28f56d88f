/** Schedules as they are shown, with their next and their last run. */
import { asc, eq } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import type { LaunchRequest } from '../answers/launch-request.ts';
import { lastQuestionRuns, lastTaskRuns } from './last-runs.ts';
import type { ScheduleContext } from './schedule-context.ts';
import { requestOf, type ScheduleRow } from './schedule-input.ts';
import { blockerOf } from './schedule-problem.ts';

const { dataset, provider, schedule } = schema;

type InfoContext = Pick<ScheduleContext, 'store' | 'starter' | 'folders'>;
export type ScheduleInfo = Awaited<ReturnType<typeof infosOf>>[number];

export async function listSchedules(context: InfoContext): Promise<ScheduleInfo[]> {
  return await infosOf(context, await selectSchedules(context.store.db).orderBy(asc(schedule.name), asc(schedule.id)));
}

export async function getSchedule(context: InfoContext, id: string): Promise<ScheduleInfo> {
  const found = isUuid(id) ? await selectSchedules(context.store.db).where(eq(schedule.id, id)) : [];
  const [info] = await infosOf(context, found);
  if (!info) throw notFound('schedule', id);
  return info;
}

function selectSchedules(db: Queryable) {
  return db
    .select({
      row: schedule,
      dataset: { id: dataset.id, name: dataset.name, item_count: dataset.itemCount },
      provider: { id: provider.id, name: provider.name },
    })
    .from(schedule)
    .leftJoin(dataset, eq(dataset.id, schedule.datasetId))
    .leftJoin(provider, eq(provider.id, schedule.providerId))
    .$dynamic();
}

interface Found {
  row: ScheduleRow;
  /** Null where it is of tasks. */
  dataset: { id: string; name: string; item_count: number } | null;
  provider: { id: string; name: string } | null;
}

async function infosOf(context: InfoContext, found: readonly Found[]) {
  const [ofQuestions, ofTasks] = await Promise.all([
    lastQuestionRuns(
      context.store.db,
      found.map(({ row }) => row.id),
    ),
    lastTaskRuns(
      context,
      found.flatMap(({ row }) => row.lastRunId ?? []),
    ),
  ]);
  return found.map(({ row, ...about }) => {
    const request = requestOf(row);
    if ('tasks' in request) {
      const last_run = ofTasks.get(row.lastRunId ?? '') ?? null;
      return { ...timesOf(row), ...request, blocker: blockerOf(context.starter, request.tasks), last_run };
    }
    return { ...timesOf(row), ...questionsOf(request, about), last_run: ofQuestions.get(row.id) ?? null };
  });
}

function timesOf(row: ScheduleRow) {
  return {
    id: row.id,
    name: row.name,
    cron: row.cron,
    timezone: row.timezone,
    enabled: row.enabled,
    next_run_at: row.nextRunAt?.toISOString() ?? null,
    last_fired_at: row.lastFiredAt?.toISOString() ?? null,
    /** Why the last time came to nothing. */
    last_problem: row.lastProblem,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function questionsOf(request: LaunchRequest, about: Omit<Found, 'row'>) {
  // The database keeps what a schedule refers to.
  if (!about.dataset || !about.provider) throw new Error('a schedule of questions has no dataset or no provider');
  const { dataset_id, provider_id, model, ...rest } = request;
  return {
    dataset: about.dataset,
    provider: about.provider,
    dataset_id,
    provider_id,
    model,
    sections: rest.sections ?? null,
    item_ids: rest.item_ids ?? null,
    max_items: rest.max_items ?? null,
    params: rest.params ?? null,
    judge: rest.judge ?? null,
    label: rest.label ?? null,
    concurrency: rest.concurrency ?? null,
    requests_per_minute: rest.requests_per_minute ?? null,
  };
}
