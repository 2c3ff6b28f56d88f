/** Starts the run of a schedule of tasks, and keeps it as the schedule's last one. */
import { eq, sql } from 'drizzle-orm';
import { type Store, schema } from '../../store/index.ts';
import type { StartRequest } from '../started/start-request.ts';
import { assertStart, type TaskStarter } from '../started/task-starter.ts';

const { schedule } = schema;

/** @returns the id of the run, once it has begun. No transaction is open meanwhile: a process is started, which takes seconds. */
export async function startTasks(
  { store, starter }: { store: Store; starter: TaskStarter },
  id: string,
  tasks: StartRequest,
): Promise<string> {
  await assertStart(starter, tasks);
  const runId = await starter.started.start(tasks);
  await store.db
    .update(schedule)
    .set({ lastRunId: runId, lastProblem: null, updatedAt: sql`now()` })
    .where(eq(schedule.id, id));
  return runId;
}
