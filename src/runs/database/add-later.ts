/** Further attempts of a run that has ended, in the caller's transaction: each becomes the one that counts for its cell. */
import { sql } from 'drizzle-orm';
import { insertRows, schema, type Transaction } from '../../store/index.ts';
import type { PreparedAttempt } from './add-finished.ts';

export async function addLaterIn(tx: Transaction, runId: string, attempts: readonly PreparedAttempt[]): Promise<void> {
  await insertRows(
    tx,
    schema.attempt,
    attempts.map(({ row }) => row),
  );
  const counted = attempts.map(({ row: { caseId, trial, attempt, result } }) => ({
    case_id: caseId,
    trial,
    attempt,
    result,
  }));
  await tx.execute(sql`
    update cell set state = 'finished', attempts = later.attempt, counted = later.attempt, result = later.result
    from json_to_recordset(${JSON.stringify(counted)}::json) as later(case_id text, trial int, attempt int, result text)
    where cell.run_id = ${runId} and cell.case_id = later.case_id and cell.trial = later.trial`);
}
