/** Runs: resolve, execute, keep in a folder or a database, report. */

export { agreedJudge } from './answers/agreed-judge.ts';
export { cancelRun } from './answers/cancel-run.ts';
export { compareStoredRuns } from './answers/compare-stored-runs.ts';
export { itemWarnings } from './answers/item-warnings.ts';
export { type Judge, judgeHash, judgeSchema } from './answers/judge-choice.ts';
export { launchRequestSchema } from './answers/launch-request.ts';
export { draftLaunch, launchRun } from './answers/launch-run.ts';
export { planScoring } from './answers/plan-scoring.ts';
export { requeueLost } from './answers/requeue-lost.ts';
export { rescore } from './answers/rescore.ts';
export { resumeRun } from './answers/resume-run.ts';
export { listRunItems } from './answers/run-items.ts';
export { getRun, listRunLogs, listRuns, runRow } from './answers/run-rows.ts';
export { type Excluded, FOR_PACK, selectItems } from './answers/select-items.ts';
export { defineLaunching, startLaunching } from './answers/start-launching.ts';
export { summarise } from './answers/summarise.ts';
export { executeRun } from './execute-run.ts';
export type { ExecutedRun, ExecuteOptions, RunBrowsers, RunProgress } from './execution.ts';
export { attemptPath } from './folder/attempt-folders.ts';
export { FolderRunStore } from './folder/folder-run-store.ts';
export { isRun, readRunFile } from './folder/run-file.ts';
export { type RunTarget, runTarget, type TargetChoices } from './folder/run-target.ts';
export { enqueueScoring } from './grading/enqueue-scoring.ts';
export { defineScoring, startScoring } from './grading/start-scoring.ts';
export {
  type ReportedEpisode,
  type ReportHead,
  type RunReport,
  type RunSummary,
  readEvents,
  readReport,
} from './report.ts';
export { type RescoredHead, type RescoredRun, rescoreRun } from './rescore-run.ts';
export { type ResolvedRun, type RunChoices, resolveRun } from './resolve-run.ts';
export type { AgentChoice, TaskChoices, TaskRun } from './resolve-tasks.ts';
export { newRunId } from './run-id.ts';
export type {
  AttemptRecord,
  AttemptWriter,
  CellRecord,
  Claim,
  FinishedAttempt,
  RunStore,
} from './run-store.ts';
export type { RunWarning } from './run-warnings.ts';
export { cronProblem, timesAfter } from './schedules/cron.ts';
export { fireDue } from './schedules/fire-due.ts';
export { scheduleInputSchema } from './schedules/schedule-input.ts';
export {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  runScheduleNow,
  updateSchedule,
} from './schedules/schedules.ts';
export { startScheduler } from './schedules/start-scheduler.ts';
export { type SuiteFixture, startSuiteFixture } from './suite-fixture.ts';
export { type Discrepancy, type VerifiedEpisode, type VerifiedRun, verifyRun } from './verify-run.ts';
export { type ReportOptions, type WrittenReports, writeReports } from './write-reports.ts';
