/** Runs of browser tasks in folders. What only questions, graders or models need is loaded when a run has them. */
export { lastFailed } from './choosing/last-failed.ts';
export { parseShard } from './choosing/shard.ts';
export { executeRun } from './execute-run.ts';
export type { AttemptEnd, RunProgress } from './execution.ts';
export { FolderRunStore } from './folder/folder-run-store.ts';
export { runsFolder } from './folder/newest-runs.ts';
export { isRun } from './folder/run-file.ts';
export { runTarget } from './folder/run-target.ts';
export type { GradingChoices } from './graders/prepare-grading.ts';
export { previewRun, type RunPreview } from './preview.ts';
export { type RunReport, type RunSummary, readEvents, readReport } from './report.ts';
export { junitReport } from './reporters/junit.ts';
export { readReportedRun } from './reporters/read-reported-run.ts';
export { stepSummary } from './reporters/step-summary.ts';
export { resolveRun } from './resolve-run.ts';
export type { TaskChoices, TaskRun } from './resolve-tasks.ts';
export { unfinishedText } from './run-coverage.ts';
export { writeReports } from './write-reports.ts';
