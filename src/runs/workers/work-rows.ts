/** The rows that workers share: runs that wait for them, the right to end one, and the workers themselves. All times are the database's. */
import { asc, sql } from 'drizzle-orm';
import { type Queryable, schema } from '../../store/index.ts';
import { until } from '../database/claims.ts';

/** Something may be claimed that could not be before. */
export const WORK_TOPIC = 'work';

export interface OpenWork {
  readonly runId: string;
  readonly version: string;
  readonly packageKey: string;
  readonly needs: readonly string[];
  readonly secrets: readonly string[];
  /** A cell waits, or its worker is gone. */
  readonly isClaimable: boolean;
  /** No cell waits or runs, and no worker ends the run. */
  readonly isToEnd: boolean;
}

/** The oldest first. */
export async function openWork(db: Queryable, labels: readonly string[]): Promise<OpenWork[]> {
  const { rows } = await db.execute<{
    run_id: string;
    version: string;
    package_key: string;
    needs: string[];
    secrets: string[];
    is_claimable: boolean;
    is_to_end: boolean;
  }>(sql`
    select w.run_id, w.version, w.package_key, w.needs, w.secrets,
      exists (select 1 from cell c where c.run_id = w.run_id and c.state in ('pending', 'running')
        and (c.state = 'pending' or c.lease_until < now())) as is_claimable,
      (w.ender_until is null or w.ender_until < now())
        and not exists (select 1 from cell c where c.run_id = w.run_id and c.state in ('pending', 'running')) as is_to_end
    from run_work w join run r on r.id = w.run_id
    where r.status = 'running' and w.labels <@ ${sql.param([...labels])}::text[]
    order by r.created_at, r.id`);
  return rows.map(({ run_id, package_key, is_claimable, is_to_end, ...row }) => ({
    ...row,
    runId: run_id,
    packageKey: package_key,
    isClaimable: is_claimable,
    isToEnd: is_to_end,
  }));
}

/** False also where there is no such run any more. */
export async function isRunning(db: Queryable, runId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from run where id = ${runId} and status = 'running'`);
  return rows.length === 1;
}

/** The right to grade a run whose cells have all ended, and to end it; also renews it. @returns false where another worker has it. */
export async function claimEnd(db: Queryable, runId: string, worker: string, leaseMs: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update run_work set ender = ${worker}, ender_until = ${until(leaseMs)}
    where run_id = ${runId} and (ender_until is null or ender_until < now() or ender = ${worker})
      and exists (select 1 from run where id = ${runId} and status = 'running')
      and not exists (select 1 from cell where run_id = ${runId} and state in ('pending', 'running'))
    returning 1`);
  return rows.length === 1;
}

export async function releaseEnd(db: Queryable, runId: string, worker: string): Promise<void> {
  await db.execute(sql`
    update run_work set ender = null, ender_until = null where run_id = ${runId} and ender = ${worker}`);
}

export interface WorkerFacts {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly running: number;
  readonly draining: boolean;
}

/** A worker that was not seen for so long is no longer listed. */
const FORGOTTEN = sql`interval '1 hour'`;

export async function reportWorker(db: Queryable, facts: WorkerFacts): Promise<void> {
  const { id, running, draining } = facts;
  await db
    .insert(schema.worker)
    .values({ ...facts, labels: [...facts.labels] })
    .onConflictDoUpdate({ target: schema.worker.id, set: { running, draining, seenAt: sql`now()` } });
  await db.execute(sql`delete from worker where id <> ${id} and seen_at < now() - ${FORGOTTEN}`);
}

export async function removeWorker(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`delete from worker where id = ${id}`);
}

export interface ListedWorker extends WorkerFacts {
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** It reported itself within the last minute. */
  readonly isAlive: boolean;
}

export async function listWorkers(db: Queryable): Promise<ListedWorker[]> {
  const { worker } = schema;
  const rows = await db
    .select({ worker, isAlive: sql<boolean>`${worker.seenAt} > now() - interval '1 minute'` })
    .from(worker)
    .orderBy(asc(worker.startedAt), asc(worker.id));
  return rows.map((row) => ({ ...row.worker, isAlive: row.isAlive }));
}
