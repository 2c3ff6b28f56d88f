/**
 * Launches what is due. The schedule's row is the claim: the process that locks it launches the run and moves the schedule on in one transaction, and
 * another server that looks at the same moment passes by.
 *
 * However many times were missed while no server ran, one run is launched when one is back; then the next at its time. While the last run of
 * a schedule is still under way, its time is left out.
 */
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import { schema, type Transaction } from '../../store/index.ts';
import { type LaunchContext, launchIn } from '../answers/launch-run.ts';
import { timesAfter } from './cron.ts';
import { requestOf, type ScheduleRow } from './schedule-input.ts';

const { run, schedule } = schema;

/** @returns how many runs were launched. */
export async function fireDue(context: LaunchContext): Promise<number> {
  for (let launched = 0; ; ) {
    const fired = await fireOne(context);
    if (fired === 'none') return launched;
    if (fired === 'launched') launched += 1;
  }
}

async function fireOne(context: LaunchContext): Promise<'none' | 'launched' | 'refused'> {
  const now = context.now();
  return await context.store.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(schedule)
      .where(and(eq(schedule.enabled, true), lte(schedule.nextRunAt, now)))
      .orderBy(asc(schedule.nextRunAt))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!row) return 'none';
    const problem = await launchOr(context, tx, row);
    await tx
      .update(schedule)
      .set({ nextRunAt: nextOf(row, now), lastFiredAt: now, lastProblem: problem ?? null, updatedAt: sql`now()` })
      .where(eq(schedule.id, row.id));
    return problem === undefined ? 'launched' : 'refused';
  });
}

/** @returns why nothing could be launched. What is not a refusal is thrown: the schedule stays due. */
async function launchOr(context: LaunchContext, tx: Transaction, row: ScheduleRow): Promise<string | undefined> {
  const underWay = and(eq(run.scheduleId, row.id), inArray(run.status, ['queued', 'running']));
  if ((await tx.$count(run, underWay)) > 0) return 'The run before was still under way: this time was left out.';
  try {
    await tx.transaction((inner) =>
      launchIn(context, inner, requestOf(row), { triggeredBy: 'schedule', scheduleId: row.id }),
    );
    return undefined;
  } catch (thrown) {
    if (thrown instanceof WaymarkError && thrown.fault === 'usage') return sentence(thrown);
    throw thrown;
  }
}

function sentence({ message, hint }: WaymarkError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

function nextOf(row: ScheduleRow, now: Date): Date | null {
  return timesAfter(row, now, 1)[0] ?? null;
}
