/**
 * `runs.grade`: grades the answers of a run by the graders of a request. Grades are the checkpoints: the worker that takes up a killed worker's
 * job asks no judge again about what that worker was told, and has what is left of its caps.
 */
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { WaymarkError } from '../../errors/index.ts';
import { type CallContext, type CallLimits, type ProviderSlots, systemContext } from '../../models/index.ts';
import { type Artifacts, GiveUp, type Job, type Queryable, type Store, schema } from '../../store/index.ts';
import { DatabaseRunStore } from '../database/database-run-store.ts';
import { type GradeRunOptions, gradeRun } from '../graders/grade-run.ts';
import { endedAs } from '../graders/wanted-attempts.ts';
import type { FurtherRequest } from './further-request.ts';
import { type BegunGrading, beginFurther, endFurther, tellFurther } from './further-rows.ts';
import { type PreparedFurther, prepareFurther } from './prepare-further.ts';

export interface FurtherOptions {
  store: Store;
  artifacts: Artifacts;
  /** Throws when a judge's address may not be called. */
  assertUrl: CallContext['assertPublicUrl'];
  /** Which variables may hold keys. */
  keyAccess?: CallContext['keyAccess'];
  slots?: ProviderSlots;
  limits?: Partial<CallLimits>;
}

/** Attempts of one run at a time. */
const CONCURRENCY = 4;
const TELL_MS = 1_000;

const { cell } = schema;
export const furtherJobSchema = z.object({ grading_id: z.uuid() });

export async function gradeFurther(job: Pick<Job, 'data' | 'signal'>, options: FurtherOptions): Promise<void> {
  const { store, artifacts, assertUrl, keyAccess, slots, limits = {} } = options;
  const { grading_id: id } = furtherJobSchema.parse(job.data);
  const grading = await beginFurther(store, id, new Date());
  // Ended before the kill, or gone with its run.
  if (!grading) return;
  const { runId, request } = grading;
  const context = systemContext(job.signal, assertUrl, limits, keyAccess);
  const prepared = await prepareFurther(request, { db: store.db, context, slots, used: grading.counts }).catch(giveUp);
  const runs = new DatabaseRunStore({ store, artifacts });
  const told = teller(() => tellFurther(store, grading));
  await gradeRun({
    store: runs,
    runId,
    ...wanted(request),
    gradersOf: gradersOf(grading, prepared, runs),
    ...(prepared.judge ? { judge: prepared.judge } : {}),
    snapshotOf: (caseId) => snapshotOf(store.db, runId, caseId),
    concurrency: CONCURRENCY,
    signal: job.signal,
    onGrade: told.more,
  });
  await told.end();
  await endFurther(store, id, new Date());
}

function wanted({ only }: FurtherRequest): Pick<GradeRunOptions, 'isWanted' | 'onlyUngraded'> {
  if (only === undefined) return {};
  if (only === 'ungraded') return { onlyUngraded: true };
  return { isWanted: (attempt, grades) => endedAs(only, attempt, grades) };
}

function gradersOf(
  { isResumed, startedAt }: BegunGrading,
  { graders }: PreparedFurther,
  runs: DatabaseRunStore,
): GradeRunOptions['gradersOf'] {
  if (!isResumed) return () => graders;
  return async ({ ref }) => {
    const given = (await runs.grades(ref)).filter(({ at }) => at >= startedAt.getTime());
    return graders.filter(({ name }) => !given.some(({ grader }) => grader === name));
  };
}

async function snapshotOf(db: Queryable, runId: string, caseId: string): Promise<unknown> {
  const [row] = await db
    .select({ snapshot: cell.snapshot })
    .from(cell)
    .where(and(eq(cell.runId, runId), eq(cell.caseId, caseId)))
    .limit(1);
  return row?.snapshot;
}

/** A request that can't be carried out will not get better by itself. */
function giveUp(thrown: unknown): never {
  if (thrown instanceof WaymarkError) throw new GiveUp(thrown.code, thrown.message, thrown);
  throw thrown;
}

/** Says how far the grading is, at most once a second and one after the other. */
function teller(tell: () => Promise<void>) {
  let last = performance.now();
  let telling = Promise.resolve();
  return {
    more: () => {
      if (performance.now() - last < TELL_MS) return;
      last = performance.now();
      telling = telling.then(tell);
      // A failure is the job's, in `end`; it must not be an unhandled one until then.
      telling.catch(() => undefined);
    },
    end: () => telling,
  };
}
