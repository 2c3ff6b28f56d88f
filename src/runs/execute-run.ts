/**
 * Executes the open cells of a run into a store: those that have no finished attempt. The command line, the demo, the benchmarks and the
 * server all call this; a run that was cut off is resumed by the same call.
 */

import { executeTasks } from './execute-tasks.ts';
import type { ExecutedRun, ExecuteOptions, Execution, Worker } from './execution.ts';
import type { ResolvedRun } from './resolve-run.ts';
import type { Claim } from './run-store.ts';

export async function executeRun(run: ResolvedRun, options: ExecuteOptions): Promise<ExecutedRun> {
  const { store, signal, worker = `process-${process.pid}`, now = Date.now } = options;
  const { runId } = run.plan;
  if (!(await store.plan(runId))) await store.create(run.plan);
  let finishedBefore = 0;
  for await (const { state } of store.cells(runId)) if (state === 'finished') finishedBefore++;
  const total = run.plan.cells.length;
  const ended: ExecutedRun = { total, finishedBefore, notBegun: [], isStopped: false };
  options.onStart?.({ finished: finishedBefore, total });
  // A run that is whole needs no browser.
  if (finishedBefore === total) return ended;
  let done = finishedBefore;
  let isFailed = false;
  async function* claims(batch: number): AsyncGenerator<Claim, void, undefined> {
    while (!signal?.aborted && !isFailed) {
      const claimed = await store.claim(runId, worker, batch);
      if (claimed.length === 0) return;
      for (const claim of claimed) {
        if (signal?.aborted || isFailed) await store.giveUp(claim);
        else yield claim;
      }
    }
  }
  const workOn = async (batch: number, work: Worker): Promise<void> => {
    try {
      for await (const { claim, status, reason } of work(claims(batch))) {
        if (status === 'not_begun') ended.notBegun.push({ attempt: claim.attempt, reason });
        done++;
        options.onProgress?.({ done, total, attempt: claim.attempt, status, reason });
      }
    } catch (error) {
      isFailed = true;
      throw error;
    }
  };
  const execution: Execution = {
    options,
    async eachClaim(workers, batch, work) {
      const count = Math.min(workers, total - finishedBefore);
      const results = await Promise.allSettled(Array.from({ length: count }, () => workOn(batch, work)));
      // Only now: the other attempts have ended and let go of what they had.
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
  await executeTasks(run, execution);
  await store.end(runId, now());
  return { ...ended, isStopped: signal?.aborted === true };
}
