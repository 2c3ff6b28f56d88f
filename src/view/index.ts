/** View models of runs and attempts: what reports and the web app show, as data. */
export {
  kappaInterval,
  kappaText,
  notComparedText,
  percentText,
  shareCount,
  shareInterval,
} from './agreement-text.ts';
export {
  claimText,
  costText,
  markNames,
  seconds,
  signed,
  tokenText,
  UNKNOWN,
  usedCost,
  usedTokens,
} from './amounts.ts';
export { type AttemptRow, attemptRow, type LiveAttempt, openRow, type Tone, toneOf } from './attempt-row.ts';
export { type AttemptView, attemptName, attemptView } from './attempt-view.ts';
export { type Clipped, clip, short } from './clip.ts';
export { CASE_COLUMNS } from './columns.ts';
export { comparisonTables, spreadText, type TextTable } from './comparison-tables.ts';
export {
  claimSentence,
  evidenceSentences,
  pointsText,
  rateText,
  regressionSentence,
  verdictSentence,
} from './comparison-text.ts';
export { type ContractColumn, type ContractHistory, contractHistory } from './contract-history.ts';
export { type CsvValue, csvLine } from './csv.ts';
export { type Divergence, firstDivergence, type Trajectory, trajectoryOf } from './divergence.ts';
export { type EpisodeView, episodeView, type StepView } from './episode-view.ts';
export type { Change } from './evidence-delta.ts';
export { type FeedEntry, feedOf, mergedFeed, notBegunEntry } from './feed.ts';
export { captionOf, type Frame, framesOf } from './frames.ts';
export { GradeCostFold, type GradeCosts, gradeCostText, gradeTokenText } from './grade-costs.ts';
export {
  differencesIn,
  type GradedAttempt,
  type GradeView,
  gradedTask,
  gradeView,
  hasFurtherGrades,
  judgeModelText,
} from './graded-attempt.ts';
export { GraderFold, type GraderSummary } from './grader-fold.ts';
export {
  agreementTable,
  GRADERS_NOTE,
  type GraderTable,
  graderNotes,
  verdictTable,
} from './grader-tables.ts';
export type { LaneMessage } from './lane-messages.ts';
export { HTML_LIMITS } from './limits.ts';
export type { LogEntry } from './page-log.ts';
export { type GraderDifference, type RunHead, type RunView, runView } from './run-view.ts';
export { caseRows, statisticsSentences } from './statistics-text.ts';
export { type Timeline, type TimelineRow, timelineOf } from './timeline.ts';
export { trendTable } from './trend-table.ts';
