/** Finds the run that a capture is another part of, among those that were imported with the same pack. */
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../store/index.ts';
import { isUuid } from '../../store/index.ts';
import type { ImportPlan } from '../archive/check-capture.ts';
import type { PlannedItem } from '../archive/plan-item.ts';
import { type ImportedCell, laterPart } from './later-part.ts';

export interface EarlierRun {
  readonly runId: string;
  readonly cells: ReadonlyMap<string, ImportedCell>;
  /** What the capture adds to it; empty when it has nothing new. */
  readonly added: readonly PlannedItem[];
}

/** Runs of one pack that are compared with a capture, those of its session first. */
const MOST_COMPARED = 20;

/** Call it with the pack locked. */
export async function findEarlierRun(db: Queryable, plan: ImportPlan): Promise<EarlierRun | undefined> {
  if (!isUuid(plan.pack_id)) return undefined;
  // A complete run has no place for another session's answers, so of those only the same session is compared.
  const isOfSession = sql`import.meta -> 'session' ->> 'started_at' = ${plan.started_at}`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select run.id from import join run on run.id = import.run_id
    where import.pack_id = ${plan.pack_id}
      and (${isOfSession} or (run.counts ->> 'answered')::int < run.item_count)
    group by run.id, run.created_at order by bool_or(${isOfSession}) desc, run.created_at desc limit ${MOST_COMPARED}`);
  for (const { id: runId } of rows) {
    const cells = await importedCells(db, runId);
    const added = laterPart(plan.items, cells);
    if (added) return { runId, cells, added };
  }
  return undefined;
}

/** As one value: taking thousands of rows from the protocol costs more than the query. */
async function importedCells(db: Queryable, runId: string): Promise<Map<string, ImportedCell>> {
  const { rows } = await db.execute<{
    cells: (Omit<ImportedCell, keyof Counted> & { counted: Counted | null })[] | null;
  }>(
    sql`select json_agg(found) as cells from (
      select case_id as id, result, attempts, (
          select json_build_object('startedAt', (extract(epoch from started_at) * 1000)::int8, 'textHash', md5(coalesce(answer, '')))
          from attempt where run_id = cell.run_id and case_id = cell.case_id and trial = cell.trial and attempt = cell.counted
        ) as counted
      from cell where run_id = ${runId}) found`,
  );
  const cells = (rows[0]?.cells ?? []).map(({ counted, ...cell }) => {
    const { startedAt = null, textHash = null } = counted ?? {};
    return { ...cell, startedAt, textHash };
  });
  return new Map(cells.map((cell) => [cell.id, cell]));
}

type Counted = Pick<ImportedCell, 'startedAt' | 'textHash'>;
