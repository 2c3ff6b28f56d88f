/**
 * Executes the open cells of a run into a store: those that have no finished attempt. The command line, the demo, the benchmarks and the
 * server's workers all call this; a run that was cut off is resumed by the same call. Answers to questions are graded when all are there,
 * unless the caller ends the run itself.
 */
import { WaymarkError } from '../errors/index.ts';
import type { Cell } from '../events/index.ts';
import { cellKey } from './cell-key.ts';
import { cleanUpAfterKills, executeTasks } from './execute-tasks.ts';
import type { AttemptEnd, ExecutedRun, ExecuteOptions, Execution, Worker } from './execution.ts';
import { reopenFailed, reopenFaults } from './reopen-faults.ts';
import type { QuestionRun } from './resolve-questions.ts';
import type { ResolvedRun } from './resolve-run.ts';
import { Retries } from './retries.ts';
import type { Claim, RunStore } from './run-store.ts';

/** Attempts: a model that judges thinks for seconds. */
const GRADED_AT_ONCE = 4;

export async function executeRun(run: ResolvedRun, options: ExecuteOptions): Promise<ExecutedRun> {
  const { store, signal, worker = `process-${process.pid}`, now = Date.now } = options;
  const { runId } = run.plan;
  if (!(await store.plan(runId))) await store.create(run.plan);
  if (options.isResumed) await (options.retryFailed ? reopenFailed(store, runId) : reopenFaults(store, runId));
  /** Cells that need nothing more. */
  const settled = new Set<string>();
  for await (const cell of store.cells(runId)) if (cell.state === 'finished') settled.add(cellKey(cell));
  const finishedBefore = settled.size;
  const total = run.plan.cells.length;
  const ended: ExecutedRun = { total, finishedBefore, notBegun: [], isStopped: false };
  options.onStart?.({ finished: finishedBefore, total });
  // Where workers share the run, the store decides: see attempt-task.ts.
  const retries = new Retries(options.isShared ? {} : options);
  const isOver = (): boolean => signal?.aborted === true || ended.failedFast !== undefined;
  /** Those that have not ended have an attempt before them or under way. */
  const takeAsked = (): Cell[] => {
    const asked = (options.steering?.takeRetries() ?? []).filter((cell) => settled.delete(cellKey(cell)));
    const keys = new Set(asked.map(cellKey));
    ended.notBegun = ended.notBegun.filter(({ attempt }) => !keys.has(cellKey(attempt)));
    return asked;
  };
  const reopen = async (cells: readonly Cell[]): Promise<void> => {
    if (cells.length > 0) await store.reopen(runId, cells);
  };
  /** One source for all workers, which ends for all of them when one stops or fails. What was claimed and not begun goes back. */
  async function* claims(batch: number): AsyncGenerator<Claim, void, undefined> {
    let waiting: Claim[] = [];
    try {
      while (!isOver()) {
        await reopen(takeAsked());
        waiting = await store.claim(runId, worker, batch);
        if (waiting.length === 0) return;
        for (let claim = waiting.shift(); claim; claim = isOver() ? undefined : waiting.shift()) yield claim;
      }
    } finally {
      for (const claim of waiting) await giveBack(store, claim);
    }
  }
  const workOn = async (source: AsyncIterable<Claim>, work: Worker): Promise<void> => {
    for await (const { claim, ...end } of work(source)) {
      const { attempt } = claim;
      const isRetried = !isOver() && retries.add(attempt, end.outcome);
      if (!isRetried) {
        settled.add(cellKey(attempt));
        if (end.status === 'not_begun') ended.notBegun.push({ attempt, reason: end.reason });
        if (options.failFast && isFailure(end)) ended.failedFast ??= attempt;
      }
      await options.onProgress?.({ done: settled.size, total, attempt, isRetried, ...end });
    }
  };
  const execution: Execution = {
    options,
    async eachClaim(workers, batch, work) {
      for (let open = options.claims ? workers : total - finishedBefore; open > 0; ) {
        const source = options.claims?.() ?? claims(batch);
        const working = Array.from({ length: Math.min(workers, open) }, () => workOn(source, work));
        const results = await Promise.allSettled(working);
        // Only now: the other attempts have ended and let go of what they had.
        for (const result of results) if (result.status === 'rejected') throw result.reason;
        const again = isOver() ? [] : [...retries.take(), ...takeAsked()];
        open = again.length;
        await reopen(again);
      }
    },
  };
  if (run.kind === 'tasks' && !signal?.aborted) cleanUpAfterKills(options);
  // A run that is whole needs no browser and no model.
  const isOpen = finishedBefore < total || options.claims !== undefined;
  if (isOpen && !signal?.aborted) {
    if (run.kind === 'tasks') await executeTasks(run, execution);
    else ended.gaveUp = await askQuestions(run, execution);
  }
  const executed = { ...ended, isStopped: signal?.aborted === true };
  if (options.end) {
    await options.end(executed);
    return executed;
  }
  if (!executed.isStopped) await gradeEnded(run, options);
  if (isOpen || options.isEnded === false) await store.end(runId, now());
  return { ...executed, isStopped: signal?.aborted === true };
}

/** What another grader than the contract decides is not known yet. */
function isFailure({ status, outcome }: AttemptEnd): boolean {
  return status === 'not_begun' || (outcome !== undefined && outcome !== 'passed');
}

/** Models and graders are loaded only by the runs that need them: a run of transcripts begins sooner without them. */
async function askQuestions(run: QuestionRun, execution: Execution): Promise<string | undefined> {
  const { executeQuestions } = await import('./execute-questions.ts');
  return executeQuestions(run, execution);
}

/** The attempt was not begun. A claim that was lost meanwhile needs no giving back. */
async function giveBack(store: RunStore, claim: Claim): Promise<void> {
  try {
    await store.giveUp(claim);
  } catch (error) {
    if (!(error instanceof WaymarkError && error.code === 'lease_lost')) throw error;
  }
}

/** By the graders beside the contract, when all attempts have ended. Those that have said pass or fail are not asked again when a run is resumed. */
export async function gradeEnded(run: ResolvedRun, options: ExecuteOptions): Promise<void> {
  const { store, signal = new AbortController().signal, now = Date.now, onGrade } = options;
  const { runId } = run.plan;
  try {
    if (run.kind === 'questions') {
      const { questionCalls } = await import('./execute-questions.ts');
      const { gradeQuestions } = await import('./grade-questions.ts');
      await gradeQuestions({ run, store, context: questionCalls(options, signal), now });
    }
    if (run.grading) {
      const { gradeRun } = await import('./graders/grade-run.ts');
      await gradeRun({
        ...run.grading,
        store,
        runId,
        onlyUngraded: true,
        concurrency: GRADED_AT_ONCE,
        signal,
        now,
        onGrade,
      });
    }
  } catch (error) {
    // Grades that were given are written, and the others are given when the run is resumed.
    if (!signal.aborted) throw error;
  }
}
