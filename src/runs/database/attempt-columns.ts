/** An attempt's journal as the columns of its row: where the journal is, and the fold of it that lists show. */
import { createHash } from 'node:crypto';
import type { AttemptFold, AttemptRef } from '../../events/index.ts';
import type { Artifacts } from '../../store/index.ts';
import { LONGEST_IN_ROW } from './journal-text.ts';

export type AttemptColumns = Awaited<ReturnType<typeof attemptColumns>>;

export async function attemptColumns(
  artifacts: Artifacts,
  attempt: AttemptRef,
  fold: AttemptFold,
  journal: string | Iterable<Uint8Array>,
) {
  const { startedAt, finishedAt, ...rest } = fold;
  return {
    ...rest,
    startedAt: startedAt === null ? null : new Date(startedAt),
    finishedAt: finishedAt === null ? null : new Date(finishedAt),
    ...(await storedJournal(artifacts, attempt, journal)),
  };
}

/** Characters are bytes at least, and most texts need no counting. */
const isLong = (text: string) =>
  text.length > LONGEST_IN_ROW || (text.length > LONGEST_IN_ROW / 3 && Buffer.byteLength(text) > LONGEST_IN_ROW);

export async function storedJournal(
  artifacts: Artifacts,
  attempt: AttemptRef,
  journal: string | Iterable<Uint8Array>,
): Promise<{ journal: string; journalKey: null } | { journal: null; journalKey: string }> {
  if (typeof journal === 'string' && !isLong(journal)) return { journal, journalKey: null };
  const journalKey = journalKeyOf(attempt);
  await artifacts.put(journalKey, journal);
  return { journal: null, journalKey };
}

function journalKeyOf(attempt: AttemptRef): string {
  return `${attemptPrefix(attempt)}.jsonl`;
}

/** Where the artifacts of an attempt are. Ids of cases are free text: their hash is a name that every file system takes. */
export function attemptPrefix({ runId, caseId, trial, attempt }: AttemptRef): string {
  const name = createHash('sha256').update(caseId).digest('hex').slice(0, 32);
  return `${runPrefix(runId)}/${name}/trial-${trial}-attempt-${attempt}`;
}

/** Where the artifacts of all attempts of a run are, and nothing else is. */
export function runPrefix(runId: string): string {
  return `runs/${runId}`;
}
