/** A whole run whose attempts have ended already, in the caller's transaction: the rows that belong to it are written beside it. */

import type { RunPlan } from '../../events/index.ts';
import { type Artifacts, insertRows, schema, type Transaction } from '../../store/index.ts';
import type { FinishedAttempt } from '../run-store.ts';
import { type AttemptColumns, attemptColumns } from './attempt-columns.ts';
import { gradeColumns } from './grade-columns.ts';
import { insertRun, type RunColumns } from './insert-run.ts';

const { attempt, grade } = schema;

/** Attempts with their rows. Long journals are put among the artifacts here. An import calls this inside its transaction, so a slow bucket holds that open. */
export interface PreparedAttempt extends FinishedAttempt {
  readonly columns: AttemptColumns;
}

export async function prepareAttempts(
  artifacts: Artifacts,
  attempts: readonly FinishedAttempt[],
): Promise<PreparedAttempt[]> {
  const prepared: PreparedAttempt[] = [];
  for (const finished of attempts) {
    prepared.push({ ...finished, columns: await attemptColumns(artifacts, finished.attempt, finished.events) });
  }
  return prepared;
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
  const byCell = new Map(attempts.map((one) => [keyOf(one.attempt), one]));
  const cells = plan.cells.map((cell) => {
    const ended = byCell.get(keyOf(cell));
    const snapshot = snapshots?.get(cell.caseId);
    return {
      ...cell,
      ...(snapshot ? { snapshot } : {}),
      state: ended ? ('finished' as const) : left,
      result: ended?.columns.result ?? null,
    };
  });
  await insertRun(tx, plan, columns, cells);
  await insertRows(
    tx,
    attempt,
    attempts.map(({ attempt: { runId, caseId, trial, attempt: number }, columns: row }) => ({
      runId,
      caseId,
      trial,
      attempt: number,
      ...row,
      migrated: false,
    })),
  );
  const grades = attempts.flatMap((one) => (one.grades ?? []).map((given) => gradeColumns(one.attempt, given)));
  if (grades.length > 0) await insertRows(tx, grade, grades);
}

const keyOf = ({ caseId, trial }: { caseId: string; trial: number }) => `${trial} ${caseId}`;
