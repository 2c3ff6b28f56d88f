/** Attempts that were cut off keep their events as rows. When their run ends, each gets its journal as any other, and the rows go. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { type Artifacts, type Queryable, schema } from '../../store/index.ts';
import { storedJournal } from './attempt-columns.ts';
import { attemptKey } from './claims.ts';

const { attemptEvent } = schema;

/** May be done again: what was folded has no rows left. */
export async function foldTorn(
  { db, artifacts }: { db: Queryable; artifacts: Artifacts },
  runId: string,
): Promise<void> {
  const torn = await db
    .selectDistinct({ caseId: attemptEvent.caseId, trial: attemptEvent.trial, attempt: attemptEvent.attempt })
    .from(attemptEvent)
    .where(eq(attemptEvent.runId, runId));
  for (const one of torn) {
    const ref = { runId, ...one };
    const lines = await db
      .select({ line: attemptEvent.line })
      .from(attemptEvent)
      .where(and(eq(attemptEvent.runId, runId), attemptKey(ref)))
      .orderBy(asc(attemptEvent.seq));
    const text = lines.map(({ line }) => `${line}\n`).join('');
    const { journal, journalKey } = await storedJournal(artifacts, ref, text);
    await db.execute(sql`
      with folded as (
        update attempt set journal = ${journal}::text, journal_key = ${journalKey}::text
        where ${attemptKey(ref)} and journal is null and journal_key is null
      ) delete from attempt_event where ${attemptKey(ref)}`);
  }
}
