/** The cells of a run that have no deciding grade of a round yet, in their order, a few at a time. */
import { type SQL, sql } from 'drizzle-orm';
import { type Item, itemSchema } from '../../cases/index.ts';
import { sentenceOf } from '../../errors/index.ts';
import { GiveUp, type Queryable } from '../../store/index.ts';
import { isDecidingRow } from './deciding-grade-rows.ts';
import type { PendingItem } from './pending-item.ts';

interface PendingRow {
  id: string;
  seq: number;
  item: unknown;
  result: string | null;
  counted: number | null;
  answer: string | null;
}

/** @yields the pending ones among the next `size` cells; none where all of those have their grades. */
export async function* pendingItems(
  db: Queryable,
  { runId, round, size }: { runId: string; round: number; size: number },
): AsyncGenerator<PendingItem[], void, undefined> {
  const { rows } = await db.execute<{ last: number }>(
    sql`select coalesce(max(seq), 0) as last from cell where run_id = ${runId}`,
  );
  const last = rows[0]?.last ?? 0;
  for (let after = 0; after < last; after += size) {
    // As one value: taking thousands of rows from the protocol costs more than the query.
    const { rows: found } = await db.execute<{ pending: PendingRow[] | null }>(
      sql`select json_agg(next) as pending from (${pendingCells(runId, round, after, after + size)}) next`,
    );
    yield (found[0]?.pending ?? []).map(pendingItem);
  }
}

/**
 * A range of numbers and look-ups by key instead of a limit and joins: PGlite has no statistics of its tables, and a planner without them
 * sorts all cells that are left, and compares every cell with every grade.
 */
function pendingCells(runId: string, round: number, after: number, upTo: number): SQL {
  return sql`
    select case_id as id, seq, snapshot as item, result, counted, (
        select answer from attempt
        where run_id = cell.run_id and case_id = cell.case_id and trial = cell.trial and attempt = cell.counted
      ) as answer
    from cell
    where run_id = ${runId} and seq > ${after} and seq <= ${upTo} and state in ('finished', 'missing')
      and (
        select true from grade
        where run_id = cell.run_id and case_id = cell.case_id and trial = cell.trial and round = ${round}
          and ${isDecidingRow} limit 1
      ) is null
    order by seq`;
}

function pendingItem({ id, seq, item, result, counted, answer }: PendingRow): PendingItem {
  return {
    seq,
    item: readItem(id, item),
    attempt: counted ?? 0,
    status: counted === null ? 'missing' : result === 'answered' ? 'answered' : 'error',
    response: answer,
  };
}

function readItem(id: string, stored: unknown): Item {
  const read = itemSchema.safeParse(stored);
  if (read.success) return read.data;
  // It will not get better by itself.
  throw new GiveUp('run_item_unreadable', `The stored item ${id} can't be read: ${sentenceOf(read.error)}`);
}
