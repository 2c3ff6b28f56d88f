/**
 * Runs in the database, for many workers at once: claims are leases that end by themselves when their worker is gone. Runs of stored datasets
 * and imported captures have more to them than a plan; answers/ and capture/ write those rows, through the same functions.
 */
import { buffer } from 'node:stream/consumers';
import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import type { AttemptRef, Cell, CellState, Grade, JournalEvent, RunPlan } from '../../events/index.ts';
import { type Artifacts, insertRows, isUuid, type Queryable, type Store, schema } from '../../store/index.ts';
import { artifactParts } from '../artifact-key.ts';
import type { UsedByRun } from '../run-budget.ts';
import type {
  AttemptWriter,
  CellRecord,
  Claim,
  FinishedAttempt,
  NotBegun,
  OpenOptions,
  RunStore,
} from '../run-store.ts';
import { addFinishedIn, discardAttempts, prepareAttempts } from './add-finished.ts';
import { attemptPrefix } from './attempt-columns.ts';
import { AttemptFiles } from './attempt-files.ts';
import { DatabaseAttemptWriter } from './attempt-writer.ts';
import {
  attemptKey,
  beginAttempt,
  claimCells,
  heldCell,
  leaseLost,
  renewClaims,
  renewHeld,
  stateAfter,
} from './claims.ts';
import { gradeColumns, gradeOf } from './grade-columns.ts';
import { HeldClaims } from './held-claims.ts';
import { insertRun } from './insert-run.ts';
import { readEvents } from './read-events.ts';
import { once, type Steadily } from './through-outages.ts';

const { attempt, cell, grade, run } = schema;

export interface DatabaseRunStoreOptions {
  store: Store;
  /** For journals that are too long for a row. */
  artifacts: Artifacts;
  /** A worker that is silent for so long has lost its claims. */
  leaseMs?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** For files that attempts make before they are artifacts; without it, attempts have no files. */
  folder?: string;
  /** Waits for a database or an object store that is away. */
  steadily?: Steadily;
}

/** What a worker does not claim. */
export interface ClaimLimits {
  /** Cases that need one of these secrets. */
  readonly without?: readonly string[] | undefined;
  /** False: cells of a run that has ended, which another worker may have done a moment ago. */
  readonly mayResume?: boolean | undefined;
  /** Cells that have an attempt already. */
  readonly onlyFresh?: boolean | undefined;
}

const LEASE_MS = 60_000;
const PAGE = 500;

export class DatabaseRunStore implements RunStore {
  readonly #store: Store;
  readonly #artifacts: Artifacts;
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #folder: string | undefined;
  readonly #steadily: Steadily;
  readonly #held = new HeldClaims();
  #claiming: Promise<unknown> = Promise.resolve();

  constructor(options: DatabaseRunStoreOptions) {
    const { store, artifacts, leaseMs = LEASE_MS, now = Date.now, folder, steadily = once } = options;
    this.#store = store;
    this.#folder = folder;
    this.#steadily = steadily;
    this.#artifacts = artifacts;
    this.#leaseMs = leaseMs;
    this.#now = now;
  }

  async create(plan: RunPlan): Promise<void> {
    await this.#refuseKnown(plan.runId);
    const cells = plan.cells.map((one) => ({ ...one, state: 'pending' as const }));
    await this.#store.db.transaction((tx) =>
      insertRun(tx, plan, { status: 'running', triggeredBy: 'manual', startedAt: new Date(this.#now()) }, cells),
    );
  }

  async plan(runId: string): Promise<RunPlan | undefined> {
    const [row] = isUuid(runId)
      ? await this.#store.db.select({ plan: run.plan }).from(run).where(eq(run.id, runId))
      : [];
    if (!row?.plan) return undefined;
    const cells = await this.#store.db
      .select({ caseId: cell.caseId, trial: cell.trial })
      .from(cell)
      .where(eq(cell.runId, runId))
      .orderBy(asc(cell.seq));
    return { ...row.plan, runId, cells };
  }

  /** A run that had ended is resumed by it: cells that could not be begun are tried again. */
  async claim(
    runId: string,
    worker: string,
    count: number,
    { without, mayResume = true, onlyFresh }: ClaimLimits = {},
  ): Promise<Claim[]> {
    // One after the other: those who ask first get the first cells.
    const claimed = this.#claiming.then(async () => {
      if (mayResume && (await this.#statusOf(runId)) !== 'running') await this.#resume(runId);
      const options = { runId, worker, count, leaseMs: this.#leaseMs, without, onlyRunning: !mayResume, onlyFresh };
      return await claimCells(this.#store.db, options);
    });
    this.#claiming = claimed.catch(() => undefined);
    const claims = await claimed;
    for (const claim of claims) this.#held.add(claim);
    return claims;
  }

  /** What all attempts have used: those that have ended, and by their events those that are under way or were cut off. */
  async used(runId: string): Promise<UsedByRun> {
    const { rows } = await this.#store.db.execute<{ tokens: number; cost: number }>(sql`
      with live as (
        select line::json as event from attempt_event where run_id = ${runId} and line like '%"type":"usage"%'
      ), parts as (
        select coalesce(input_tokens, 0) + coalesce(output_tokens, 0) as tokens, coalesce(cost_usd, 0) as cost
        from attempt where run_id = ${runId}
        union all
        select coalesce((event ->> 'inputTokens')::bigint, 0) + coalesce((event ->> 'outputTokens')::bigint, 0),
          coalesce((event ->> 'costUsd')::float8, 0)
        from live where event ->> 'type' = 'usage'
      ) select coalesce(sum(tokens), 0)::float8 as tokens, coalesce(sum(cost), 0)::float8 as cost from parts`);
    return rows[0] ?? { tokens: 0, cost: 0 };
  }

  /** How many claims this process has now. */
  get heldCount(): number {
    return this.#held.list.length;
  }

  /** Of all claims that this process has. An attempt whose claim is lost is told so by its writer's signal. */
  async renewHeld(): Promise<void> {
    const claims = this.#held.list;
    const renewed = await renewHeld(this.#store.db, claims, this.#leaseMs);
    for (const claim of claims) if (!renewed.has(claim)) this.#held.lose(claim, leaseLost(claim));
  }

  /** For attempts that take longer than a lease. */
  async renew(runId: string, worker: string): Promise<void> {
    await renewClaims(this.#store.db, runId, worker, this.#leaseMs);
  }

  async open(claim: Claim, { isShort = false }: OpenOptions = {}): Promise<AttemptWriter> {
    const hasFiles = !isShort && this.#folder !== undefined;
    // One that flushes by itself begins with its first events: the first step does not wait for a statement.
    const isBegun = !isShort && !hasFiles;
    const begin = () => beginAttempt(this.#store.db, claim, this.#leaseMs);
    if (isBegun && !(await this.#steadily(begin, this.#held.signalOf(claim)))) throw leaseLost(claim);
    const context = {
      isBegun,
      db: this.#store.db,
      artifacts: this.#artifacts,
      leaseMs: this.#leaseMs,
      now: this.#now,
      held: this.#held,
      steadily: this.#steadily,
      ...(hasFiles ? { files: new AttemptFiles(this.#artifacts, claim.attempt, this.#folder ?? '') } : {}),
    };
    return new DatabaseAttemptWriter(context, claim);
  }

  async giveUp(claim: Claim, why?: NotBegun): Promise<undefined> {
    this.#held.release(claim);
    const { runId, caseId, trial, attempt: number } = claim.attempt;
    const noted = sql`
      with held as (
        update cell set state = ${why ? stateAfter(claim.attempt, 'missing', why.retries) : 'pending'}, lease = lease + 1, worker = null, lease_until = null,
          attempts = ${why ? number : number - 1}::int
        where ${heldCell(claim)} returning 1
      ), noted as (
        insert into attempt (run_id, case_id, trial, attempt, not_begun, error_code)
        select ${runId}::uuid, ${caseId}, ${trial}::int, ${number}::int, ${sql.param(why?.reason ?? null, attempt.notBegun)}::text, ${why?.outcome ?? null}::text
        from held where ${why !== undefined}
      ) select 1 from held`;
    const { rows } = await this.#steadily(() => this.#store.db.execute(noted));
    if (rows.length === 0) throw leaseLost(claim);
  }

  async reopen(runId: string, cells: readonly Cell[]): Promise<void> {
    const wanted = cells.map(({ caseId, trial }) => and(eq(cell.caseId, caseId), eq(cell.trial, trial)));
    for (let from = 0; from < wanted.length; from += PAGE) {
      await this.#store.db
        .update(cell)
        .set({ state: 'pending' })
        .where(
          and(
            eq(cell.runId, runId),
            inArray(cell.state, ['finished', 'missing']),
            or(...wanted.slice(from, from + PAGE)),
          ),
        );
    }
  }

  async end(runId: string, endedAt: number): Promise<void> {
    await this.#statusOf(runId);
    await this.#store.db
      .update(run)
      .set({ status: 'completed', finishedAt: new Date(endedAt), updatedAt: sql`now()` })
      .where(eq(run.id, runId));
  }

  async addFinished(plan: RunPlan, attempts: readonly FinishedAttempt[]): Promise<void> {
    await this.#refuseKnown(plan.runId);
    for (const { attempt: ref, events } of attempts) {
      if (events.at(-1)?.type === 'stop') continue;
      throw new WaymarkError({
        code: 'attempt_not_ended',
        message: `Attempt ${ref.attempt} at ${ref.caseId} has no stop event.`,
      });
    }
    const prepared = await prepareAttempts(this.#artifacts, attempts);
    const now = new Date(this.#now());
    const columns = { status: 'completed' as const, triggeredBy: 'manual' as const, startedAt: now, finishedAt: now };
    try {
      await this.#store.db.transaction((tx) => addFinishedIn(tx, plan, columns, prepared, { left: 'pending' }));
    } catch (error) {
      await discardAttempts(this.#artifacts, prepared);
      throw error;
    }
  }

  async appendGrades(ref: AttemptRef, grades: readonly Grade[]): Promise<void> {
    await this.#statusOf(ref.runId);
    if (grades.length === 0) return;
    await this.#store.db.transaction(async (tx) => {
      const rows = grades.map((given) => gradeColumns(ref, given));
      if ((await insertRows(tx, grade, rows, { skipKnown: true })) === rows.length) return;
      throw new WaymarkError({
        code: 'grade_exists',
        message: `Attempt ${ref.attempt} at ${ref.caseId} has a grade of this grader and round already. Nothing was added.`,
      });
    });
  }

  async *cells(runId: string): AsyncGenerator<CellRecord, void, undefined> {
    await this.#statusOf(runId);
    for (let after = 0; ; ) {
      const page = await this.#store.db
        .select({
          caseId: cell.caseId,
          trial: cell.trial,
          seq: cell.seq,
          // A claim whose worker is gone is none.
          state: sql<CellState>`case when ${cell.state} = 'running' and ${cell.leaseUntil} < now() then 'pending' else ${cell.state} end`,
        })
        .from(cell)
        .where(and(eq(cell.runId, runId), gt(cell.seq, after)))
        .orderBy(asc(cell.seq))
        .limit(PAGE);
      const attempts = await attemptsOf(this.#store.db, runId, page);
      for (const { caseId, trial, state } of page) {
        yield { caseId, trial, state, attempts: attempts.get(`${trial} ${caseId}`) ?? [] };
      }
      const last = page.at(-1);
      if (!last) return;
      after = last.seq;
    }
  }

  events(ref: AttemptRef): AsyncGenerator<JournalEvent, void, undefined> {
    return readEvents({ db: this.#store.db, artifacts: this.#artifacts }, ref);
  }

  async grades(ref: AttemptRef): Promise<Grade[]> {
    const [row] = await this.#store.db.select({ migrated: attempt.migrated }).from(attempt).where(attemptKey(ref));
    const rows = await this.#store.db
      .select()
      .from(grade)
      .where(
        and(
          eq(grade.runId, ref.runId),
          eq(grade.caseId, ref.caseId),
          eq(grade.trial, ref.trial),
          // Version 0.1.0 graded items, which had one attempt as far as it knew.
          inArray(grade.attempt, row?.migrated ? [0, ref.attempt] : [ref.attempt]),
        ),
      )
      .orderBy(asc(grade.id));
    return rows.map(gradeOf);
  }

  async artifact(ref: AttemptRef, key: string): Promise<Uint8Array | undefined> {
    const name = artifactKey(ref, key);
    return (await this.#artifacts.head(name)) ? await buffer(await this.#artifacts.get(name)) : undefined;
  }

  async keepArtifact(ref: AttemptRef, key: string, content: Uint8Array): Promise<void> {
    const name = artifactKey(ref, key);
    if (await this.#artifacts.head(name)) {
      throw new WaymarkError({ code: 'artifact_exists', message: `${name} is there already. Nothing was written.` });
    }
    await this.#artifacts.put(name, content);
  }

  async #statusOf(runId: string) {
    const [row] = isUuid(runId)
      ? await this.#store.db.select({ status: run.status }).from(run).where(eq(run.id, runId))
      : [];
    if (!row) throw new WaymarkError({ code: 'run_not_found', message: `There is no run ${runId}.` });
    return row.status;
  }

  async #refuseKnown(runId: string): Promise<void> {
    if (!isUuid(runId)) {
      throw new WaymarkError({
        code: 'run_id_invalid',
        message: `${runId} can't be the id of a run in a database: it is no UUID.`,
      });
    }
    if ((await this.#store.db.$count(run, eq(run.id, runId))) > 0) {
      throw new WaymarkError({ code: 'usage_run_exists', message: `There is a run ${runId} already.` });
    }
  }

  /** Runs of datasets are resumed by answers/resume-run.ts, which queues their job. */
  async #resume(runId: string): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      const [resumed] = await tx
        .update(run)
        .set({ status: 'running', finishedAt: null, updatedAt: sql`now()` })
        .where(and(eq(run.id, runId), sql`${run.datasetId} is null`))
        .returning({ id: run.id });
      if (!resumed) return;
      await tx
        .update(cell)
        .set({ state: 'pending' })
        .where(and(eq(cell.runId, runId), eq(cell.state, 'missing')));
    });
  }
}

function artifactKey(ref: AttemptRef, key: string): string {
  return [attemptPrefix(ref), ...artifactParts(key)].join('/');
}

/** By the keys of a page, and never the journals. */
async function attemptsOf(db: Queryable, runId: string, page: readonly Cell[]) {
  const byCell = new Map<string, { attempt: number; finished: boolean; notBegun?: string }[]>();
  if (page.length === 0) return byCell;
  const ids = [...new Set(page.map(({ caseId }) => caseId))];
  const rows = await db
    .select({
      caseId: attempt.caseId,
      trial: attempt.trial,
      attempt: attempt.attempt,
      result: attempt.result,
      notBegun: attempt.notBegun,
    })
    .from(attempt)
    .where(and(eq(attempt.runId, runId), inArray(attempt.caseId, ids)))
    .orderBy(asc(attempt.attempt));
  for (const { caseId, trial, attempt: number, result, notBegun } of rows) {
    const key = `${trial} ${caseId}`;
    const known = byCell.get(key) ?? [];
    known.push({ attempt: number, finished: result !== null, ...(notBegun === null ? {} : { notBegun }) });
    byCell.set(key, known);
  }
  return byCell;
}
