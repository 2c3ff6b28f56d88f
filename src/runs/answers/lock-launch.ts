/** Whether a worker's launch is still the run's: a cancelled run, or one that was resumed since, takes nothing from it. */
import { and, eq, inArray } from 'drizzle-orm';
import { type Queryable, schema, type Transaction } from '../../store/index.ts';

const { run } = schema;

export type RunRow = typeof run.$inferSelect;

/** The run, held until the transaction ends; undefined when this launch is not its any more, or has ended. */
export async function lockLaunch(tx: Transaction, runId: string, launch: number): Promise<RunRow | undefined> {
  const [row] = await tx.select().from(run).where(eq(run.id, runId)).for('update');
  const isOurs = row?.launchAttempt === launch && (row.status === 'queued' || row.status === 'running');
  return isOurs ? row : undefined;
}

export async function isUnderWay(db: Queryable, runId: string, launch: number): Promise<boolean> {
  const found = and(eq(run.id, runId), eq(run.launchAttempt, launch), inArray(run.status, ['queued', 'running']));
  return (await db.$count(run, found)) === 1;
}
