/** Adds lines to a run's log, and notifies the watchers of the run. */
import { sql } from 'drizzle-orm';
import { WaymarkError } from '../errors/index.ts';
import type { Transaction } from './database.ts';
import { run } from './schema/run.ts';
import { runLog } from './schema/run-log.ts';
import type { Store } from './store.ts';

export type RunLogLine = Pick<typeof runLog.$inferInsert, 'level' | 'code' | 'message' | 'data'>;

export const runTopic = (runId: string): string => `run:${runId}`;
/** Any run: made, or another status. Told by the triggers that write its events. */
export const RUNS_TOPIC = 'runs';

/**
 * The run's row is locked by the count until commit, so that lines become visible in the order of their numbers: a reader
 * that has seen number 5 will never find a new number 4.
 */
export async function appendRunLog(
  store: Pick<Store, 'signals'>,
  tx: Transaction,
  runId: string,
  lines: readonly RunLogLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map(({ level, code, message, data = {} }, index) => {
    const texts = [sql.param(level, runLog.level), sql.param(code, runLog.code), sql.param(message, runLog.message)];
    return sql`(${index + 1}::int, ${texts[0]}::text, ${texts[1]}::text, ${texts[2]}::text, ${sql.param(data, runLog.data)}::jsonb)`;
  });
  // One statement: in an embedded database no other request has a turn until the transaction has ended, and each statement takes its time.
  const { rows: told } = await tx.execute(sql`
    with counted as (
      update ${run} set log_seq = log_seq + ${lines.length} where id = ${runId} returning log_seq - ${lines.length} as before
    ), written as (
      insert into ${runLog} (run_id, seq, level, code, message, data)
      select ${runId}::uuid, before + place, level, code, message, data
      from counted, (values ${sql.join(rows, sql.raw(', '))}) as line (place, level, code, message, data)
    )
    select ${store.signals.sending(runTopic(runId))} from counted`);
  if (told.length === 0) throw new WaymarkError({ code: 'run_not_found', message: `There is no run ${runId}.` });
}
