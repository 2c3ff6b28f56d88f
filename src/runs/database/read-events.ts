/** The events of an attempt: from its row, from the artifact that its row names, or, while it is under way, from rows of their own. */
import { createInterface } from 'node:readline';
import { and, asc, eq } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import { type AttemptRef, type JournalEvent, parseEvent } from '../../events/index.ts';
import { unchained } from '../../journal/index.ts';
import { type Artifacts, type Queryable, schema } from '../../store/index.ts';
import { attemptKey } from './claims.ts';

const { attempt, attemptEvent } = schema;

interface Places {
  readonly db: Queryable;
  readonly artifacts: Artifacts;
}

export async function* readEvents(places: Places, ref: AttemptRef): AsyncGenerator<JournalEvent, void, undefined> {
  for await (const line of readJournalLines(places, ref)) {
    const parsed = parseEvent(JSON.parse(unchained(line)));
    if (!parsed.ok)
      throw new WaymarkError({
        code: 'journal_corrupt',
        message: `The journal of ${ref.caseId} is damaged: ${parsed.problem}.`,
      });
    if (parsed.event.type !== 'unknown') yield parsed.event;
  }
}

/** As they are stored, without their newlines. */
export async function* readJournalLines(
  { db, artifacts }: Places,
  ref: AttemptRef,
): AsyncGenerator<string, void, undefined> {
  const [row] = await db
    .select({ journal: attempt.journal, journalKey: attempt.journalKey })
    .from(attempt)
    .where(attemptKey(ref));
  for await (const line of linesOf(db, artifacts, ref, row)) if (line !== '') yield line;
}

async function* linesOf(
  db: Queryable,
  artifacts: Artifacts,
  ref: AttemptRef,
  row: { journal: string | null; journalKey: string | null } | undefined,
): AsyncGenerator<string, void, undefined> {
  if (!row) return;
  if (row.journal !== null) yield* row.journal.split('\n');
  else if (row.journalKey !== null) {
    yield* createInterface({ input: await artifacts.get(row.journalKey), crlfDelay: Number.POSITIVE_INFINITY });
  } else {
    const live = await db
      .select({ line: attemptEvent.line })
      .from(attemptEvent)
      .where(
        and(
          eq(attemptEvent.runId, ref.runId),
          eq(attemptEvent.caseId, ref.caseId),
          eq(attemptEvent.trial, ref.trial),
          eq(attemptEvent.attempt, ref.attempt),
        ),
      )
      .orderBy(asc(attemptEvent.seq));
    yield* live.map(({ line }) => line);
  }
}
