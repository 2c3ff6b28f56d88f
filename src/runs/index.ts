/** The door of runs/: many episodes, and the reports made from their journals. */

export { cancelRun } from './answers/cancel-run.ts';
export { itemWarnings } from './answers/item-warnings.ts';
export { launchRequestSchema } from './answers/launch-request.ts';
export { draftLaunch, launchRun } from './answers/launch-run.ts';
export { questionPlan } from './answers/question-plan.ts';
export { requeueLost } from './answers/requeue-lost.ts';
export { resumeRun } from './answers/resume-run.ts';
export { type Excluded, FOR_PACK, selectItems } from './answers/select-items.ts';
export { defineLaunching, startLaunching } from './answers/start-launching.ts';
export { type AttemptFolder, attemptFolders, planEpisodes } from './attempt-folders.ts';
export { addFinishedIn, prepareAttempts } from './database/add-finished.ts';
export { DatabaseRunStore } from './database/database-run-store.ts';
export { type GradeRecord, type ListedCell, listCells } from './database/list-cells.ts';
export { getRun, type ListedRun, listRunLogs, listRuns, type RunDetail, runRow } from './database/list-runs.ts';
export { agreedJudge } from './grading/agreed-judge.ts';
export type { RunComparison } from './grading/compare-runs.ts';
export { compareStoredRuns } from './grading/compare-stored-runs.ts';
export { enqueueGrading } from './grading/enqueue-grading.ts';
export { gradeAgain } from './grading/grade-again.ts';
export { type Judge, judgeHash, judgeSchema } from './grading/judge-choice.ts';
export { planGrading } from './grading/plan-grading.ts';
export { defineGrading, startGrading } from './grading/start-grading.ts';
export { summarise } from './grading/summarise.ts';
export { type ReportedEpisode, type RunReport, type RunSummary, readEvents, runReport } from './report.ts';
export { type RescoredRun, rescoreRun } from './rescore-run.ts';
export { isRun, plannedAt, type RunFile, readRunFile, writeRunFile } from './run-file.ts';
export { newRunId, openRunFolder, type RunFolder } from './run-folder.ts';
export { type InputParts, inputDifferences, type RunInputs, runInputs } from './run-inputs.ts';
export { lockRun } from './run-lock.ts';
export type { AttemptWriter, CellRecord, Claim, FinishedAttempt, RunStore } from './run-store.ts';
export { runSuite, type SuiteOptions, type SuiteProgress } from './run-suite.ts';
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
export { readEpisodes, type WrittenRun, writeReports } from './write-run.ts';
