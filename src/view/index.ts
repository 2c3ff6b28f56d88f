/** View models of runs and attempts: what reports and the web app show, as data. */
export {
  kappaInterval,
  kappaText,
  notComparedText,
  percentText,
  shareCount,
  shareInterval,
} from './agreement-text.ts';
export { claimText, costText, markNames, tokenText, UNKNOWN, usedCost, usedTokens } from './amounts.ts';
export { type Clipped, short } from './clip.ts';
export { type CsvValue, csvLine } from './csv.ts';
export { type EpisodeView, episodeView, type StepView } from './episode-view.ts';
export type { Change } from './evidence-delta.ts';
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
export { HTML_LIMITS } from './limits.ts';
export { type Timeline, type TimelineRow, timelineOf } from './timeline.ts';
