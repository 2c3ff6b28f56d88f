/** What workers have claimed and not ended. */
import { sql } from 'drizzle-orm';
import type { AttemptRef } from '../../events/index.ts';
import type { Queryable } from '../../store/index.ts';

/** By the worker's id, in the order of their runs. Of runs that are under way: the index of open cells finds them. */
export async function workerAttempts(db: Queryable): Promise<Map<string, AttemptRef[]>> {
  const { rows } = await db.execute<{
    worker: string;
    run_id: string;
    case_id: string;
    trial: number;
    attempts: number;
  }>(sql`
    select c.worker, c.run_id, c.case_id, c.trial, c.attempts
    from run_work w join cell c on c.run_id = w.run_id
    where c.state = 'running' and c.worker is not null and c.lease_until > now()
    order by c.run_id, c.seq`);
  const of = Map.groupBy(rows, ({ worker }) => worker);
  return new Map(
    [...of].map(([worker, cells]) => [
      worker,
      cells.map(({ run_id, case_id, trial, attempts }) => ({
        runId: run_id,
        caseId: case_id,
        trial,
        attempt: attempts,
      })),
    ]),
  );
}
