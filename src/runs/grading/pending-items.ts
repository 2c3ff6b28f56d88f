/** The cells of a run that have no deciding grade of a round yet, in their order, a few at a time. */
import { type SQL, sql } from 'drizzle-orm';
import { itemSchema } from '../../cases/index.ts';
import { sentenceOf, WaymarkError } from '../../errors/index.ts';
import type { Queryable } from '../../store/index.ts';
import { isDecidingRow } from './deciding-grade-rows.ts';
import type { PendingItem, UnreadableItem } from './pending-item.ts';

interface PendingRow {
  id: string;
  seq: number;
  item: unknown;
  result: string | null;
  counted: number | null;
  answer: string | null;
}

/** What one page may hold of answers: the answers to one question are up to a megabyte, and a page of them is held in memory several times. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** @yields the pending ones among the next `size` cells, or fewer where their answers are long; none where all of those have their grades. */
export async function* pendingItems(
  db: Queryable,
  { runId, round, size }: { runId: string; round: number; size: number },
): AsyncGenerator<(PendingItem | UnreadableItem)[], void, undefined> {
  const { rows } = await db.execute<{ last: number }>(
    sql`select coalesce(max(seq), 0) as last from cell where run_id = ${runId}`,
  );
  const last = rows[0]?.last ?? 0;
  for (let after = 0; after < last; ) {
    // As one value: taking thousands of rows from the protocol costs more than the query.
    const { rows: found } = await db.execute<{ page: PendingRow[] | null; left: number }>(sql`
      with pending as (${pendingCells(runId, round, after, after + size)}),
      summed as (select *, sum(bytes) over (order by seq) - bytes as before from pending)
      select json_agg(page order by seq) as page, (select count(*)::int from summed where before > ${PAGE_BYTES}) as left from (
        select id, seq, item, result, counted, (
          select answer from attempt
          where run_id = ${runId} and case_id = summed.id and trial = summed.trial and attempt = summed.counted
        ) as answer
        from summed where before <= ${PAGE_BYTES}
      ) page`);
    const { page, left = 0 } = found[0] ?? {};
    yield (page ?? []).map(pendingItem);
    after = left > 0 ? (page?.at(-1)?.seq ?? after + size) : after + size;
  }
}

/**
 * A range of numbers and look-ups by key instead of a limit and joins: PGlite has no statistics of its tables, and a planner without them
 * sorts all cells that are left, and compares every cell with every grade.
 */
function pendingCells(runId: string, round: number, after: number, upTo: number): SQL {
  return sql`
    select case_id as id, trial, seq, snapshot as item, result, counted, coalesce((
        select octet_length(answer) from attempt
        where run_id = cell.run_id and case_id = cell.case_id and trial = cell.trial and attempt = cell.counted
      ), 0) as bytes
    from cell
    where run_id = ${runId} and seq > ${after} and seq <= ${upTo} and state in ('finished', 'missing')
      and (
        select true from grade
        where run_id = cell.run_id and case_id = cell.case_id and trial = cell.trial and round = ${round}
          and ${isDecidingRow} limit 1
      ) is null`;
}

function pendingItem({ id, seq, item, result, counted, answer }: PendingRow): PendingItem | UnreadableItem {
  const attempt = counted ?? 0;
  const read = itemSchema.safeParse(item);
  if (!read.success) return { seq, id, attempt, problem: unreadable(id, sentenceOf(read.error)) };
  return {
    seq,
    item: read.data,
    attempt,
    status: counted === null ? 'missing' : result === 'answered' ? 'answered' : 'error',
    response: answer,
  };
}

function unreadable(id: string, why: string): WaymarkError {
  return new WaymarkError({ code: 'run_item_unreadable', message: `The stored item ${id} can't be read: ${why}` });
}
