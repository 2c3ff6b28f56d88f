/** Runs: resolve, execute, keep in a folder or a database, report. */

export { cancelRun } from './answers/cancel-run.ts';
export { chooseQuestions } from './answers/choose-questions.ts';
export { launchRun, readLaunch } from './answers/launch-run.ts';
export { planLaunch } from './answers/plan-launch.ts';
export { questionPlan } from './answers/question-plan.ts';
export { requeueLost } from './answers/requeue-lost.ts';
export { resumeRun } from './answers/resume-run.ts';
export { FOR_PACK } from './answers/select-items.ts';
export { defineLaunching, startLaunching } from './answers/start-launching.ts';
export { addFinishedIn, discardAttempts, type PreparedAttempt, prepareAttempts } from './database/add-finished.ts';
export { addLaterIn } from './database/add-later.ts';
export { DatabaseRunStore } from './database/database-run-store.ts';
export { databaseSource } from './database/database-source.ts';
export { editRun, listTags, runEditSchema } from './database/edit-run.ts';
export { gradeOf } from './database/grade-columns.ts';
export { type GradeRecord, type ListedCell, listCells } from './database/list-cells.ts';
export { getGrade, type ListedGrade, listGrades } from './database/list-grades.ts';
export {
  countRuns,
  getRun,
  type ListedRun,
  listRunLogs,
  listRuns,
  type RunDetail,
  type RunsPage,
  runRow,
} from './database/list-runs.ts';
export { RUN_SORTS } from './database/run-order.ts';
export { deleteRun } from './delete-run.ts';
export { isAlive } from './folder/run-lock.ts';
export { askFurther } from './further-grading/ask-further.ts';
export { furtherRequestSchema } from './further-grading/further-request.ts';
export { getFurther, type ListedGrading, listFurther } from './further-grading/further-rows.ts';
export { defineFurther, requeueFurther, startFurther } from './further-grading/start-further.ts';
export { givingWay } from './give-way.ts';
export { agreedJudge } from './grading/agreed-judge.ts';
export type { RunComparison } from './grading/compare-runs.ts';
export { compareStoredRuns } from './grading/compare-stored-runs.ts';
export { enqueueGrading } from './grading/enqueue-grading.ts';
export { gradeAgain } from './grading/grade-again.ts';
export { type Judge, judgeHash, judgeSchema } from './grading/judge-choice.ts';
export { planGrading } from './grading/plan-grading.ts';
export { defineGrading, startGrading } from './grading/start-grading.ts';
export { summarise } from './grading/summarise.ts';
export { ANY_RUN_KINDS, ANY_RUN_SORTS, ANY_RUN_STATES, type AnyRun, type AnyRunFilter } from './listing/any-run.ts';
export { compareAnyRuns } from './listing/compare-any-runs.ts';
export { type ExperimentView, readExperiment } from './listing/experiment.ts';
export { anyRunOf, listAnyRuns, type RunPlaces } from './listing/list-any-runs.ts';
export { runChoices } from './listing/run-choices.ts';
export { SampleReader } from './listing/sample-reader.ts';
export * from './local.ts';
export { type Overview, readOverview } from './overview/overview.ts';
export type { ScoredRun } from './overview/scored-runs.ts';
export { pruneDatabase } from './prune/prune-database.ts';
export { cronProblem, timesAfter } from './schedules/cron.ts';
export { fireDue } from './schedules/fire-due.ts';
export { getSchedule, listSchedules } from './schedules/schedule-info.ts';
export { scheduleInputSchema } from './schedules/schedule-input.ts';
export { createSchedule, deleteSchedule, runScheduleNow, updateSchedule } from './schedules/schedules.ts';
export { startScheduler } from './schedules/start-scheduler.ts';
export { createWorkRun, resolveWorkRun } from './workers/create-work-run.ts';
export { fetchRun } from './workers/fetch-run.ts';
export { followRun } from './workers/follow-run.ts';
export { isWorkRun, resumeWorkRun, stopWorkRun } from './workers/stop-work-run.ts';
export { work } from './workers/work.ts';
export { listWorkers } from './workers/work-rows.ts';
export { workerAttempts } from './workers/worker-attempts.ts';
