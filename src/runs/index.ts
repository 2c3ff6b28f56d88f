/** The door of runs/: many episodes, and the reports made from their journals. */

export { type EpisodePlace, placesOf, planEpisodes } from './places.ts';
export { type ReportedEpisode, type RunReport, type RunSummary, readEvents, runReport } from './report.ts';
export { type RescoredRun, rescoreRun } from './rescore-run.ts';
export { isRun, plannedAt, type RunFile, readRunFile, writeRunFile } from './run-file.ts';
export { newRunId, openRunFolder, type RunFolder } from './run-folder.ts';
export { type InputParts, inputDifferences, type RunInputs, runInputs } from './run-inputs.ts';
export { lockRun } from './run-lock.ts';
export { runSuite, type SuiteOptions, type SuiteProgress } from './run-suite.ts';
export { type SuiteFixture, startSuiteFixture } from './suite-fixture.ts';
export { type Discrepancy, type VerifiedEpisode, type VerifiedRun, verifyRun } from './verify-run.ts';
export { readEpisodes, type WrittenRun, writeReports } from './write-run.ts';
