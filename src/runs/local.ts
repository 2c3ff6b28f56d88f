/** Runs in folders: resolve, execute, grade, report. Commands that need no database load none. */
export { type AgentChoice, choiceOf } from './agent-choice.ts';
export { launchRequestSchema, MAX_CONCURRENCY } from './answers/launch-request.ts';
export { type CalibrationProgress, calibrateAttempts } from './calibrate/calibrate-attempts.ts';
export { calibrateReplies } from './calibrate/calibrate-replies.ts';
export type { Calibration, JudgeCalibration } from './calibrate/calibration.ts';
export { readLabels } from './calibrate/read-labels.ts';
export { replyParserOf } from './calibrate/reply-parsers.ts';
export type { CheckFinding } from './check/check-finding.ts';
export { type CheckedTask, type CheckProgress, checkTasks } from './check/check-tasks.ts';
export { type CheckRecord, failedChecksFolder, keepFailedChecks } from './check/failed-checks.ts';
export { neverPassed } from './check/never-passed.ts';
export { baselineSchema, writeBaseline } from './compare/baseline-file.ts';
export { type ComparedRuns, compareRunFolders, type RunFolderComparison } from './compare/compare-run-folders.ts';
export type { ComparisonView } from './compare/comparison-view.ts';
export { divergenceSentence } from './compare/divergence-text.ts';
export { markdownComparison } from './compare/markdown-comparison.ts';
export { readSamples, runsIn } from './compare/read-sample.ts';
export { defaultName, EXPORT_FORMATS, type ExportFormat, exportRun } from './export/export-run.ts';
export { attemptPath } from './folder/attempt-folders.ts';
export { isQuestionRun, readRunFile } from './folder/run-file.ts';
export { requestAttemptStop, requestRetry, requestStop } from './folder/run-requests.ts';
export { casesOfRun } from './graders/cases-of-run.ts';
export { gradeRun } from './graders/grade-run.ts';
export { prepareGrading } from './graders/prepare-grading.ts';
export { endedAs, GRADED_AGAIN, type GradedAgain } from './graders/wanted-attempts.ts';
export { comparisonPage } from './html/comparison-page.ts';
export { trendPage } from './html/trend-page.ts';
export { importTraces } from './import-trace/import-traces.ts';
export { checkSignable, signRun } from './integrity/sign-run.ts';
export { makeKey, readPrivateKey, readPublicKey } from './integrity/signature.ts';
export { type ListedFolder, listRunFolders } from './live/list-run-folders.ts';
export type { LiveRun } from './live/live-run.ts';
export { RunFolders } from './live/run-folders.ts';
export { mergeRuns } from './merge-runs.ts';
export { openJudge } from './open-judge.ts';
export type { Pruned } from './prune/prune-choices.ts';
export { pruneFolders } from './prune/prune-folders.ts';
export { References } from './prune/references.ts';
export { accuracyText, countText } from './question-numbers.ts';
export type { QuestionReport, QuestionReportHead } from './question-report.ts';
export { readAgentResult } from './read-agent-result.ts';
export {
  type RegradedQuestions,
  rescoreQuestions,
} from './regrade-questions.ts';
export { rescoreRun } from './rescore-run.ts';
export type { QuestionChoices } from './resolve-questions.ts';
export { newRunId } from './run-id.ts';
export type {
  CellRecord,
  Claim,
  FinishedAttempt,
  RunStore,
} from './run-store.ts';
export { serveRun } from './serve-run.ts';
export { quarantineCase } from './started/quarantine-case.ts';
export { OFFERED_AGENTS, OFFERED_SERVERS, type StartRequest, startRequestSchema } from './started/start-request.ts';
export { StartedRuns } from './started/started-runs.ts';
export { assertStart, starterOr, type TaskStarter } from './started/task-starter.ts';
export * from './tasks.ts';
export { readVariant, variantFileSchema } from './variant-file.ts';
export type { Discrepancy } from './verify/discrepancy.ts';
export type { Integrity } from './verify/verify-integrity.ts';
export { verifyQuestionRun } from './verify/verify-question-run.ts';
export { type VerifiedEpisode, verifyRun } from './verify/verify-run.ts';
export { writeQuestionReports } from './write-question-reports.ts';
