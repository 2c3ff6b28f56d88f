/** The door of runs/: many episodes, and the reports made from their journals. */
export { type ReportedEpisode, type RunReport, type RunSummary, readEvents, runReport } from './report.ts';
export { type RescoredRun, rescoreRun } from './rescore-run.ts';
export { newRunId, openRunFolder, type RunFolder } from './run-folder.ts';
export { type EpisodePlace, planEpisodes, runSuite, type SuiteOptions, type SuiteProgress } from './run-suite.ts';
export { type SuiteFixture, startSuiteFixture } from './suite-fixture.ts';
export { type Discrepancy, type VerifiedEpisode, type VerifiedRun, verifyRun } from './verify-run.ts';
export { type RunFile, readEpisodes, readRunFile, type WrittenRun, writeReports, writeRunFile } from './write-run.ts';
