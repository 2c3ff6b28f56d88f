/** Removes runs of a database that are no longer needed, with their artifacts, and what is left over: events, and suites that no run needs. */
import { buffer } from 'node:stream/consumers';
import { desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { type Artifacts, type Store, schema } from '../../store/index.ts';
import { DatabaseRunStore } from '../database/database-run-store.ts';
import { foldTorn } from '../database/fold-torn.ts';
import { deleteRun } from '../delete-run.ts';
import { runPackageSchema } from '../workers/run-package.ts';
import { outcomesOfRun } from './outcomes-of-run.ts';
import { type PruneChoices, type Pruned, prune } from './prune-choices.ts';

const { attemptEvent, run, runWork } = schema;

export interface PrunedDatabase extends Pruned {
  /** Files of suites that no run needs any more. */
  readonly suiteFiles: number;
  /** Rows of events that were folded into journals, or that told of changes of runs long ago. */
  readonly events: number;
}

export async function pruneDatabase(
  context: { store: Store; artifacts: Artifacts },
  choices: PruneChoices,
): Promise<PrunedDatabase> {
  const { db } = context.store;
  const rows = await db
    .select({ runId: run.id, createdAt: run.createdAt, status: run.status, gradingStatus: run.gradingStatus })
    .from(run)
    .orderBy(desc(run.createdAt));
  const runs = rows.map(({ runId, createdAt, status, gradingStatus }) => {
    const isBusy = [status, gradingStatus].some((one) => one === 'queued' || one === 'running');
    return { runId, createdAt: createdAt.getTime(), busy: isBusy ? 'it is being executed or scored' : undefined };
  });
  // A run that is about to be scored or graded stays, whether or not a worker has begun: prune removes what is done with.
  const stored = new DatabaseRunStore(context);
  const removal = { ...context, queue: { isHeld: async () => true } };
  const pruned = await prune(runs, choices, {
    classesOf: ({ runId }) => outcomesOfRun(stored, runId),
    remove: ({ runId }) => deleteRun(removal, runId),
  });
  if (choices.isTrial) return { ...pruned, suiteFiles: 0, events: 0 };
  return { ...pruned, events: await pruneEvents(context, choices), suiteFiles: await pruneSuites(context) };
}

/** Attempts of runs that have ended keep their events in their journals; lists of runs need no changes of long ago. */
async function pruneEvents(
  { store, artifacts }: { store: Store; artifacts: Artifacts },
  { olderThanMs }: Pick<PruneChoices, 'olderThanMs'>,
): Promise<number> {
  const { db } = store;
  const ended = await db
    .selectDistinct({ runId: attemptEvent.runId })
    .from(attemptEvent)
    .innerJoin(run, eq(run.id, attemptEvent.runId))
    .where(inArray(run.status, ['completed', 'failed', 'cancelled']));
  let events = 0;
  for (const { runId } of ended) {
    events += await db.$count(attemptEvent, eq(attemptEvent.runId, runId));
    await foldTorn({ db, artifacts }, runId);
  }
  if (olderThanMs === undefined) return events;
  const { rows } = await db.execute(sql`
    delete from run_event where at < now() - ${olderThanMs}::float8 * interval '1 millisecond' returning 1`);
  return events + rows.length;
}

/** What no package of any run names. A run that is being made puts its files first: those of the last hour stay. */
async function pruneSuites({ store, artifacts }: { store: Store; artifacts: Artifacts }): Promise<number> {
  const before = Date.now() - 3_600_000;
  const packages = await store.db
    .select({ key: runWork.packageKey })
    .from(runWork)
    .where(isNotNull(runWork.packageKey));
  const needed = new Set<string>();
  for (const { key } of packages) {
    if (needed.has(key)) continue;
    needed.add(key);
    const { files } = runPackageSchema.parse(JSON.parse((await buffer(await artifacts.get(key))).toString('utf8')));
    for (const { sha256 } of files) needed.add(`sha256/${sha256.slice(0, 2)}/${sha256}`);
  }
  let removed = 0;
  for await (const { key, modifiedAt } of artifacts.list('sha256')) {
    if (needed.has(key) || modifiedAt.getTime() > before) continue;
    await artifacts.delete(key);
    removed++;
  }
  return removed;
}
