/** A run of a database as a folder: the same files that `waymark run` writes on one machine, so that every command that takes a run takes it. */
import { createWriteStream, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eq } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import type { AttemptRef } from '../../events/index.ts';
import { putJson } from '../../journal/index.ts';
import { isUuid, schema } from '../../store/index.ts';
import { attemptPrefix } from '../database/attempt-columns.ts';
import { attemptKey } from '../database/claims.ts';
import { DatabaseRunStore } from '../database/database-run-store.ts';
import { readJournalLines } from '../database/read-events.ts';
import { attemptPath, GRADES_FILE, JOURNAL_FILE, NOT_BEGUN_FILE } from '../folder/attempt-folders.ts';
import { FolderRunStore, runExists } from '../folder/folder-run-store.ts';
import { appendGrades } from '../folder/grades-file.ts';
import { isRun, readRunFile, writeRunFile } from '../folder/run-file.ts';
import type { WorkContext } from './create-work-run.ts';

const { attempt, run } = schema;
/** Attempts at a time. */
const AT_ONCE = 8;

/** Into a folder that is not there yet, or that holds the same run from when it had not ended; after a kill there is a whole run, or none. */
export async function fetchRun({ store, artifacts }: WorkContext, runId: string, root: string): Promise<void> {
  if (isRun(root) && !(await isEarlier(root, runId))) throw runExists(root);
  const runs = new DatabaseRunStore({ store, artifacts });
  const plan = await runs.plan(runId);
  const [row] = isUuid(runId)
    ? await store.db.select({ finishedAt: run.finishedAt }).from(run).where(eq(run.id, runId))
    : [];
  if (!plan) throw new WaymarkError({ code: 'run_not_found', message: `There is no run ${runId} in this database.` });
  const made = `${root}.${runId}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  try {
    let waiting: Promise<void>[] = [];
    for await (const { caseId, trial, attempts } of runs.cells(runId)) {
      for (const { attempt: number } of attempts) {
        waiting.push(fetchAttempt({ store, artifacts }, runs, { runId, caseId, trial, attempt: number }, made));
        if (waiting.length < AT_ONCE) continue;
        await Promise.all(waiting);
        waiting = [];
      }
    }
    await Promise.all(waiting);
    writeRunFile(made, { plan, endedAt: row?.finishedAt?.toISOString() });
    // What was fetched before is this run too, with less in it.
    const before = `${root}.${runId}.old`;
    rmSync(before, { recursive: true, force: true });
    if (isRun(root)) renameSync(root, before);
    renameSync(made, root);
    rmSync(before, { recursive: true, force: true });
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** The same run, fetched when it had been stopped: not all of it was there. */
async function isEarlier(root: string, runId: string): Promise<boolean> {
  if (readRunFile(root).plan.runId !== runId) return false;
  using store = new FolderRunStore(root);
  for await (const { state } of store.cells(runId)) if (state !== 'finished') return true;
  return false;
}

async function fetchAttempt(
  { store, artifacts }: WorkContext,
  runs: DatabaseRunStore,
  ref: AttemptRef,
  root: string,
): Promise<void> {
  const folder = path.join(root, attemptPath(ref));
  mkdirSync(folder, { recursive: true });
  const [row] = await store.db
    .select({ notBegun: attempt.notBegun, outcome: attempt.errorCode })
    .from(attempt)
    .where(attemptKey(ref));
  if (row?.notBegun != null) {
    putJson(path.join(folder, NOT_BEGUN_FILE), { reason: row.notBegun, outcome: row.outcome });
    return;
  }
  const lines = readJournalLines({ db: store.db, artifacts }, ref);
  await pipeline(Readable.from(withNewlines(lines)), createWriteStream(path.join(folder, JOURNAL_FILE)));
  const prefix = attemptPrefix(ref);
  for await (const { key } of artifacts.list(prefix)) {
    const file = path.join(folder, ...key.slice(prefix.length + 1).split('/'));
    mkdirSync(path.dirname(file), { recursive: true });
    await pipeline(await artifacts.get(key), createWriteStream(file));
  }
  const grades = await runs.grades(ref);
  if (grades.length > 0) {
    writeFileSync(path.join(folder, GRADES_FILE), '');
    appendGrades(path.join(folder, GRADES_FILE), grades);
  }
}

async function* withNewlines(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${line}\n`;
}
