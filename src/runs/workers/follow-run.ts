/** Waits until workers have ended a run, and tells of each cell that ends and of each line of its log. */
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import type { Cell } from '../../events/index.ts';
import { isUuid, runTopic, type Store, schema } from '../../store/index.ts';
import { Idle } from './idle.ts';

const { attempt, cell, run, runLog } = schema;

export interface EndedCell extends Cell {
  readonly attempt: number;
  /** Of the attempt that counts; `not_begun` where there is none. */
  readonly status: string;
  readonly reason: string;
  readonly done: number;
  readonly total: number;
}

export interface FollowOptions {
  /** Aborted: the run goes on, and is no longer waited for. */
  readonly signal: AbortSignal;
  readonly onCell?: ((ended: EndedCell) => void) | undefined;
  readonly onNote?: ((note: string) => void) | undefined;
  readonly pollMs?: number | undefined;
}

const POLL_MS = 1_000;
/** Without a worker for so long, that is told. */
const ALONE_MS = 5_000;

/** @returns the status that the run ended with; undefined where it goes on. */
export async function followRun(store: Store, runId: string, options: FollowOptions): Promise<string | undefined> {
  const { signal, onCell, onNote, pollMs = POLL_MS } = options;
  const idle = new Idle(signal);
  const forget = await store.signals.subscribe(runTopic(runId), () => idle.wake());
  const seen = new Set<string>();
  let lastLine = 0;
  let aloneSince: number | undefined = performance.now();
  try {
    for (;;) {
      // Before the cells: when it has ended, the cells that are read next are the last ones.
      const status = await statusOf(store, runId);
      const total = await store.db.$count(cell, eq(cell.runId, runId));
      for (const ended of await endedCells(store, runId, seen)) onCell?.({ ...ended, done: seen.size, total });
      for (const { seq, message } of await linesAfter(store, runId, lastLine)) {
        lastLine = seq;
        onNote?.(message);
      }
      // What was under way when it was stopped is written by its workers, or ends with their leases.
      if (status !== 'running' && !(status === 'cancelled' && (await isHeld(store, runId)))) return status;
      if (signal.aborted) return undefined;
      const isAlone = (await store.db.$count(schema.worker, sql`seen_at > now() - interval '1 minute'`)) === 0;
      aloneSince = isAlone ? aloneSince : undefined;
      if (aloneSince !== undefined && performance.now() - aloneSince > ALONE_MS) {
        onNote?.('no worker is there: start one with waymark worker');
        aloneSince = undefined;
      }
      await idle.wait(pollMs);
    }
  } finally {
    forget();
  }
}

async function statusOf(store: Store, runId: string): Promise<string> {
  const [row] = isUuid(runId) ? await store.db.select({ status: run.status }).from(run).where(eq(run.id, runId)) : [];
  if (row) return row.status;
  throw new WaymarkError({ code: 'run_not_found', message: `There is no run ${runId} in this database.` });
}

/** Whether a worker has an attempt of it. */
async function isHeld(store: Store, runId: string): Promise<boolean> {
  return (await store.db.$count(cell, and(eq(cell.runId, runId), sql`state = 'running' and lease_until > now()`))) > 0;
}

/** Those that were not seen before, in the order of the plan. */
async function endedCells(store: Store, runId: string, seen: Set<string>) {
  const rows = await store.db
    .select({
      caseId: cell.caseId,
      trial: cell.trial,
      attempt: cell.attempts,
      status: sql<string>`coalesce(${cell.result}, 'not_begun')`,
      reason: sql<string>`coalesce(${attempt.notBegun}, ${attempt.errorMessage}, '')`,
    })
    .from(cell)
    .leftJoin(
      attempt,
      and(
        eq(attempt.runId, cell.runId),
        eq(attempt.caseId, cell.caseId),
        eq(attempt.trial, cell.trial),
        eq(attempt.attempt, cell.attempts),
      ),
    )
    .where(and(eq(cell.runId, runId), inArray(cell.state, ['finished', 'missing'])))
    .orderBy(asc(cell.seq));
  return rows.filter(({ caseId, trial }) => {
    const key = `${trial} ${caseId}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

async function linesAfter(store: Store, runId: string, after: number) {
  return await store.db
    .select({ seq: runLog.seq, message: runLog.message })
    .from(runLog)
    .where(and(eq(runLog.runId, runId), gt(runLog.seq, after)))
    .orderBy(asc(runLog.seq));
}
