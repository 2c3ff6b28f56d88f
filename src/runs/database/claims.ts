/**
 * The right to write attempts. A claim gives the next attempt of a cell its number and raises the cell's lease; every write names the lease,
 * so that a worker that was overtaken changes nothing. The attempt's row comes when it is begun. All times are the database's: the clocks of workers need not agree.
 */
import { type SQL, sql } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import type { AttemptRef, CellState } from '../../events/index.ts';
import type { Queryable } from '../../store/index.ts';
import type { Claim } from '../run-store.ts';

export interface ClaimOptions {
  runId: string;
  worker: string;
  count: number;
  leaseMs: number;
  /** Names of secrets that this worker has no value for: cases whose snapshot says that they need one are left to others. */
  without?: readonly string[] | undefined;
  /** Nothing of a run that has ended. */
  onlyRunning?: boolean | undefined;
  /** Only cells that have no attempt yet. */
  onlyFresh?: boolean | undefined;
}

export async function claimCells(
  db: Queryable,
  { runId, worker, count, leaseMs, ...limits }: ClaimOptions,
): Promise<Claim[]> {
  if (count < 1) return [];
  const { rows } = await db.execute<{
    case_id: string;
    trial: number;
    attempts: number;
    lease: number;
    snapshot: Record<string, unknown>;
  }>(sql`
    with next as (
      select case_id, trial from cell
      where run_id = ${runId} and (state = 'pending' or (state = 'running' and lease_until < now()))
        and state in ('pending', 'running')${limited(runId, limits)}
      order by seq limit ${count} for update skip locked
    ), claimed as (
      update cell set state = 'running', lease = lease + 1, worker = ${worker},
        lease_until = ${until(leaseMs)}
      from next where cell.run_id = ${runId} and cell.case_id = next.case_id and cell.trial = next.trial
      returning cell.case_id, cell.trial, cell.attempts, cell.lease, cell.seq, cell.snapshot
    )
    select case_id, trial, attempts, lease, snapshot from claimed order by seq`);
  return rows.map(({ case_id, trial, attempts, lease, snapshot }) => ({
    attempt: { runId, caseId: case_id, trial, attempt: attempts + 1 },
    lease,
    snapshot,
  }));
}

function limited(
  runId: string,
  { without = [], onlyRunning = false, onlyFresh = false }: Pick<ClaimOptions, 'without' | 'onlyRunning' | 'onlyFresh'>,
): SQL {
  const needsNone = sql` and not (coalesce(snapshot -> 'needs', '[]') ?| ${sql.param([...without])}::text[])`;
  const isRunning = sql` and exists (select 1 from run where id = ${runId} and status = 'running')`;
  const isFresh = sql` and attempts = 0`;
  return sql`${without.length === 0 ? sql`` : needsNone}${onlyRunning ? isRunning : sql``}${onlyFresh ? isFresh : sql``}`;
}

/** Claims of workers that are known to be gone: their cells can be claimed at once. Attempts that they had begun stay, cut off. */
export async function releaseClaims(db: Queryable, runId: string): Promise<void> {
  await db.execute(sql`
    update cell set state = 'pending', lease = lease + 1, worker = null, lease_until = null
    where run_id = ${runId} and state = 'running'`);
}

export async function renewClaims(db: Queryable, runId: string, worker: string, leaseMs: number): Promise<void> {
  await db.execute(sql`
    update cell set lease_until = ${until(leaseMs)}
    where run_id = ${runId} and worker = ${worker} and state = 'running'`);
}

/** For attempts that take longer than a lease. @returns those of the claims that still hold. */
export async function renewHeld(db: Queryable, claims: readonly Claim[], leaseMs: number): Promise<Set<Claim>> {
  if (claims.length === 0) return new Set();
  const given = claims.map(({ attempt, lease }, index) => ({
    index,
    run_id: attempt.runId,
    case_id: attempt.caseId,
    trial: attempt.trial,
    lease,
  }));
  const { rows } = await db.execute<{ index: number }>(sql`
    update cell set lease_until = ${until(leaseMs)}
    from json_to_recordset(${JSON.stringify(given)}::json) as held(index int, run_id uuid, case_id text, trial int, lease int)
    where cell.run_id = held.run_id and cell.case_id = held.case_id and cell.trial = held.trial
      and cell.lease = held.lease and cell.state = 'running'
    returning held.index`);
  return new Set(rows.flatMap(({ index }) => claims[index] ?? []));
}

/** The attempt's row. @returns false where the claim was lost. */
export async function beginAttempt(db: Queryable, claim: Claim, leaseMs: number): Promise<boolean> {
  const { runId, caseId, trial, attempt } = claim.attempt;
  const { rows } = await db.execute(sql`
    with held as (
      update cell set attempts = ${attempt}, lease_until = ${until(leaseMs)} where ${heldCell(claim)} returning 1
    ), begun as (
      insert into attempt (run_id, case_id, trial, attempt, started_at)
      select ${runId}::uuid, ${caseId}, ${trial}::int, ${attempt}::int, now() from held
      -- The same worker again: the answer to its first try was lost.
      on conflict do nothing
    ) select 1 from held`);
  return rows.length === 1;
}

/** The row of the claim's cell, while the claim holds. */
export function heldCell({ attempt, lease }: Claim): SQL {
  return sql`run_id = ${attempt.runId} and case_id = ${attempt.caseId} and trial = ${attempt.trial}
    and lease = ${lease} and state = 'running'`;
}

/** The state of a cell whose attempt has ended: open again, where fewer of its earlier attempts have ended than it may be tried again. */
export function stateAfter({ runId, caseId, trial, attempt }: AttemptRef, state: CellState, retries = 0): SQL {
  if (retries === 0) return sql`${state}`;
  return sql`case when (select count(*) from attempt a where a.run_id = ${runId} and a.case_id = ${caseId}
    and a.trial = ${trial} and a.attempt < ${attempt} and (a.result is not null or a.not_begun is not null)) < ${retries}::int
    then 'pending' else ${state}::text end`;
}

export const attemptKey = ({ runId, caseId, trial, attempt }: AttemptRef): SQL =>
  sql`run_id = ${runId} and case_id = ${caseId} and trial = ${trial} and attempt = ${attempt}`;

export const until = (leaseMs: number): SQL => sql`now() + ${leaseMs}::float8 * interval '1 millisecond'`;

export function leaseLost({ attempt }: Claim): WaymarkError {
  return new WaymarkError({
    code: 'lease_lost',
    message: `Attempt ${attempt.attempt} at ${attempt.caseId} (trial ${attempt.trial}) is no longer this worker's to write.`,
    hint: 'Another worker has taken it over, or the run was ended. Nothing more was written by this one.',
  });
}
