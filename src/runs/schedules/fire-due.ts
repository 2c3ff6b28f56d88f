/**
 * Launches what is due. The schedule's row is the claim: the process that locks it moves the schedule on, and another server that looks at the same
 * moment passes by. Questions are launched in the same transaction. Tasks are started after it, by a server that may start runs: their process takes
 * seconds, and a kill in between is said with the schedule.
 *
 * However many times were missed while no server ran, one run is launched when one is back; then the next at its time. While the last run of
 * a schedule is still under way, its time is left out.
 */
import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { schema, type Transaction } from '../../store/index.ts';
import type { LaunchRequest } from '../answers/launch-request.ts';
import { launchIn } from '../answers/launch-run.ts';
import type { StartRequest } from '../started/start-request.ts';
import type { TaskStarter } from '../started/task-starter.ts';
import { timesAfter } from './cron.ts';
import { isUnderWay } from './last-runs.ts';
import type { ScheduleContext } from './schedule-context.ts';
import { requestOf, type ScheduleRow } from './schedule-input.ts';
import { problemText } from './schedule-problem.ts';
import { startTasks } from './start-tasks.ts';

const { run, schedule } = schema;

const UNDER_WAY = 'The run before was still under way: this time was left out.';
/** Stays where the server is killed before it knows how the start came out. */
const NOT_KNOWN = 'The server ended while it started this run: look for it in the list of runs.';

type Fired = 'launched' | 'refused';
type Claimed = Fired | 'none' | { row: ScheduleRow; tasks: StartRequest; starter: TaskStarter };

/** @returns how many runs were launched. */
export async function fireDue(context: ScheduleContext): Promise<number> {
  for (let launched = 0; ; ) {
    const claimed = await claimOne(context);
    if (claimed === 'none') return launched;
    const fired = typeof claimed === 'string' ? claimed : await startOr(context, claimed);
    if (fired === 'launched') launched += 1;
  }
}

async function claimOne(context: ScheduleContext): Promise<Claimed> {
  const now = context.now();
  const { starter } = context;
  const isDue = and(eq(schedule.enabled, true), lte(schedule.nextRunAt, now));
  return await context.store.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(schedule)
      // Tasks wait for a server that may start them.
      .where(starter ? isDue : and(isDue, isNotNull(schedule.datasetId)))
      .orderBy(asc(schedule.nextRunAt))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!row) return 'none';
    const request = requestOf(row);
    const isTasks = 'tasks' in request;
    const problem = isTasks ? NOT_KNOWN : await launchOr(context, tx, row, request);
    await tx
      .update(schedule)
      .set({ nextRunAt: nextOf(row, now), lastFiredAt: now, lastProblem: problem ?? null, updatedAt: sql`now()` })
      .where(eq(schedule.id, row.id));
    if (isTasks && starter) return { row, tasks: request.tasks, starter };
    return problem === undefined ? 'launched' : 'refused';
  });
}

/** @returns why nothing could be launched. What is not a refusal is thrown: the schedule stays due. */
async function launchOr(
  context: ScheduleContext,
  tx: Transaction,
  { id }: ScheduleRow,
  request: LaunchRequest,
): Promise<string | undefined> {
  const underWay = and(eq(run.scheduleId, id), inArray(run.status, ['queued', 'running']));
  if ((await tx.$count(run, underWay)) > 0) return UNDER_WAY;
  try {
    await tx.transaction((inner) => launchIn(context, inner, request, { triggeredBy: 'schedule', scheduleId: id }));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof WaymarkError && thrown.fault === 'usage') return problemText(thrown);
    throw thrown;
  }
}

/** Its time has been taken: whatever keeps it from being started is kept with the schedule. */
async function startOr(context: ScheduleContext, { row, tasks, starter }: Exclude<Claimed, string>): Promise<Fired> {
  const { store } = context;
  const refuse = async (lastProblem: string): Promise<Fired> => {
    await store.db.update(schedule).set({ lastProblem, updatedAt: sql`now()` }).where(eq(schedule.id, row.id));
    return 'refused';
  };
  if (await isUnderWay(context, row)) return await refuse(UNDER_WAY);
  try {
    await startTasks({ store, starter }, row.id, tasks);
    return 'launched';
  } catch (thrown) {
    return await refuse(thrown instanceof WaymarkError ? problemText(thrown) : messageOf(thrown));
  }
}

function nextOf(row: ScheduleRow, now: Date): Date | null {
  return timesAfter(row, now, 1)[0] ?? null;
}
