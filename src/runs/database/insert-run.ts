/** A run and its cells, written together. What a run has beyond its plan (provider, configuration, label) is given by the caller. */
import type { Cell, RunPlan } from '../../events/index.ts';
import { insertRows, schema, type Transaction } from '../../store/index.ts';

const { cell, run } = schema;

export type RunColumns = Omit<
  typeof run.$inferInsert,
  'id' | 'plan' | 'itemCount' | 'datasetVersionHash' | 'createdAt'
>;

export interface NewCell extends Cell {
  /** The case as it is now. */
  readonly snapshot?: Readonly<Record<string, unknown>>;
  readonly state: 'pending' | 'finished' | 'missing';
  /** Of a finished cell: how its only attempt ended. */
  readonly result?: (typeof schema.ATTEMPT_RESULTS)[number] | null;
}

export async function insertRun(
  tx: Transaction,
  plan: RunPlan,
  columns: RunColumns,
  cells: readonly NewCell[],
): Promise<void> {
  const { runId, cells: _, ...frozen } = plan;
  await tx.insert(run).values({
    ...columns,
    id: runId,
    plan: frozen,
    itemCount: cells.length,
    datasetVersionHash: plan.suite.hash,
    createdAt: new Date(plan.createdAt),
  });
  await insertRows(
    tx,
    cell,
    cells.map(({ caseId, trial, snapshot = {}, state, result = null }, index) => ({
      runId,
      caseId,
      trial,
      seq: index + 1,
      state,
      attempts: state === 'finished' ? 1 : 0,
      counted: state === 'finished' ? 1 : null,
      result,
      lease: 0,
      snapshot,
    })),
  );
}
