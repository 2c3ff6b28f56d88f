/** Runs: resolve, execute, keep in a folder or a database, report. */

export { type AgentChoice, choiceOf } from './agent-choice.ts';
export { cancelRun } from './answers/cancel-run.ts';
export { chooseQuestions } from './answers/choose-questions.ts';
export { launchRequestSchema, MAX_CONCURRENCY } from './answers/launch-request.ts';
export { launchRun, readLaunch } from './answers/launch-run.ts';
export { planLaunch } from './answers/plan-launch.ts';
export { questionPlan } from './answers/question-plan.ts';
export { requeueLost } from './answers/requeue-lost.ts';
export { resumeRun } from './answers/resume-run.ts';
export { FOR_PACK } from './answers/select-items.ts';
export { defineLaunching, startLaunching } from './answers/start-launching.ts';
export { type CalibrationProgress, calibrateAttempts } from './calibrate/calibrate-attempts.ts';
export { calibrateReplies } from './calibrate/calibrate-replies.ts';
export type { Calibration, JudgeCalibration } from './calibrate/calibration.ts';
export { readLabels } from './calibrate/read-labels.ts';
export { replyParserOf } from './calibrate/reply-parsers.ts';
export { addFinishedIn, discardAttempts, type PreparedAttempt, prepareAttempts } from './database/add-finished.ts';
export { DatabaseRunStore } from './database/database-run-store.ts';
export { gradeOf } from './database/grade-columns.ts';
export { type GradeRecord, type ListedCell, listCells } from './database/list-cells.ts';
export { getGrade, type ListedGrade, listGrades } from './database/list-grades.ts';
export { getRun, type ListedRun, listRunLogs, listRuns, type RunDetail, runRow } from './database/list-runs.ts';
export { executeRun } from './execute-run.ts';
export type { AttemptEnd, RunProgress } from './execution.ts';
export { attemptPath } from './folder/attempt-folders.ts';
export { FolderRunStore } from './folder/folder-run-store.ts';
export { isQuestionRun, isRun, readRunFile } from './folder/run-file.ts';
export { runTarget } from './folder/run-target.ts';
export { askFurther } from './further-grading/ask-further.ts';
export { furtherRequestSchema } from './further-grading/further-request.ts';
export { getFurther, type ListedGrading, listFurther } from './further-grading/further-rows.ts';
export { defineFurther, requeueFurther, startFurther } from './further-grading/start-further.ts';
export { casesOfRun } from './graders/cases-of-run.ts';
export { gradeRun } from './graders/grade-run.ts';
export { type GradingChoices, prepareGrading } from './graders/prepare-grading.ts';
export { GRADED_AGAIN, type GradedAgain, hasEnded } from './graders/wanted-attempts.ts';
export { agreedJudge } from './grading/agreed-judge.ts';
export type { RunComparison } from './grading/compare-runs.ts';
export { compareStoredRuns } from './grading/compare-stored-runs.ts';
export { enqueueGrading } from './grading/enqueue-grading.ts';
export { gradeAgain } from './grading/grade-again.ts';
export { type Judge, judgeHash, judgeSchema } from './grading/judge-choice.ts';
export { planGrading } from './grading/plan-grading.ts';
export { defineGrading, startGrading } from './grading/start-grading.ts';
export { summarise } from './grading/summarise.ts';
export { importTraces } from './import-trace/import-traces.ts';
export { openJudge } from './open-judge.ts';
export { accuracyText, countText } from './question-numbers.ts';
export type { QuestionReport, QuestionReportHead } from './question-report.ts';
export { readAgentResult } from './read-agent-result.ts';
export {
  type RegradedQuestions,
  regradeQuestions,
  rescoreQuestions,
} from './regrade-questions.ts';
export {
  type RunReport,
  readEvents,
  readReport,
} from './report.ts';
export { rescoreRun } from './rescore-run.ts';
export type { QuestionChoices } from './resolve-questions.ts';
export { resolveRun } from './resolve-run.ts';
export type { TaskChoices } from './resolve-tasks.ts';
export { newRunId } from './run-id.ts';
export type {
  CellRecord,
  Claim,
  FinishedAttempt,
  RunStore,
} from './run-store.ts';

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

export { readVariant, variantFileSchema } from './variant-file.ts';
export { type Discrepancy, type VerifiedEpisode, verifyRun } from './verify-run.ts';
export { writeQuestionReports } from './write-question-reports.ts';
export { writeReports } from './write-reports.ts';
