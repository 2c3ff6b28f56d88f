/** A whole run whose attempts have ended already, in the caller's transaction: the rows that belong to it are written beside it. */

import { type AttemptRef, attemptFold, type Grade, type RunPlan } from '../../events/index.ts';
import { chainedText } from '../../journal/index.ts';
import { type Artifacts, insertRows, schema, type Transaction } from '../../store/index.ts';
import { givingWay } from '../give-way.ts';
import type { FinishedAttempt } from '../run-store.ts';
import { type AttemptColumns, attemptColumns } from './attempt-columns.ts';
import { gradeColumns } from './grade-columns.ts';
import { insertRun, type RunColumns } from './insert-run.ts';

const { attempt, grade } = schema;

/** The row of an attempt, and its grades. Its events are in the row's journal: thousands of attempts must not keep them twice. */
export interface PreparedAttempt {
  readonly row: AttemptRef & AttemptColumns & { readonly migrated: false };
  readonly grades: readonly Grade[];
}

/** Puts long journals among the artifacts, so call it before the transaction: a slow bucket must not hold that open. */
export async function prepareAttempts(
  artifacts: Artifacts,
  attempts: Iterable<FinishedAttempt>,
): Promise<PreparedAttempt[]> {
  const prepared: PreparedAttempt[] = [];
  const giveWay = givingWay();
  try {
    for (const { attempt: ref, events, grades = [] } of attempts) {
      await giveWay();
      const columns = await attemptColumns(artifacts, ref, attemptFold(events), chainedText(events));
      prepared.push({ row: { ...ref, ...columns, migrated: false }, grades });
    }
  } catch (error) {
    await discardAttempts(artifacts, prepared);
    throw error;
  }
  return prepared;
}

/** For a transaction that did not come to pass: removes the artifacts of attempts that are in no row. */
export async function discardAttempts(artifacts: Artifacts, prepared: readonly PreparedAttempt[]): Promise<void> {
  for (const { row } of prepared) {
    // What can't be removed only takes space, and why the rows were not written is the error to tell.
    if (row.journalKey !== null) await artifacts.delete(row.journalKey).catch(() => undefined);
  }
}

export async function addFinishedIn(
  tx: Transaction,
  plan: RunPlan,
  columns: RunColumns,
  attempts: readonly PreparedAttempt[],
  {
    snapshots,
    left,
  }: {
    snapshots?: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
    /** The state of cells that have no attempt. */
    left: 'pending' | 'missing';
  },
): Promise<void> {
  const byCell = new Map(attempts.map(({ row }) => [keyOf(row), row]));
  const cells = plan.cells.map((cell) => {
    const ended = byCell.get(keyOf(cell));
    const snapshot = snapshots?.get(cell.caseId);
    return {
      ...cell,
      ...(snapshot ? { snapshot } : {}),
      state: ended ? ('finished' as const) : left,
      result: ended?.result ?? null,
    };
  });
  await insertRun(tx, plan, columns, cells);
  await insertRows(
    tx,
    attempt,
    attempts.map(({ row }) => row),
  );
  const grades = attempts.flatMap((one) => one.grades.map((given) => gradeColumns(one.row, given)));
  if (grades.length > 0) await insertRows(tx, grade, grades);
}

const keyOf = ({ caseId, trial }: { caseId: string; trial: number }) => `${trial} ${caseId}`;
