/** Cases: tasks (a start page, a goal, a contract) and questions (a prompt, a checker), alone or in files and datasets. */

export {
  GRADER_KINDS,
  type GraderKind,
  type GraderSpec,
  graderSpecSchema,
  gradingProblems,
  nameOfSpec,
  runsUntilDone,
} from './graders/grader-spec.ts';
export type { NetworkRule, NetworkSpec } from './graders/network-spec.ts';
export { DECIDING_GRADERS, decidingGrade, furtherNameProblem, isDeciding } from './graders/question-grade.ts';
export {
  type Alternative,
  compileAddresses,
  decodedText,
  type Query,
  type RequestAddress,
  readAddress,
} from './graders/request-address.ts';
export { compileTextPattern, isTextPattern, type PatternOptions } from './graders/text-pattern.ts';
export { canonicalHash, promptHash, sha256Hex } from './hash.ts';
export { MAX_ID, MAX_PACK_ITEMS, MAX_PROMPT, MAX_RESPONSE } from './limits.ts';
export { writeBundle } from './questions/bundle.ts';
export type { Checker } from './questions/checker-schema.ts';
export { type Dataset, sectionsOf, versionHash } from './questions/dataset.ts';
export { type ExpectedNumber, parseExpected } from './questions/expected-number.ts';
export { ITEM_TYPES, type Item, itemSchema } from './questions/item.ts';
export { type DatasetReport, parseJsonl, toJsonl } from './questions/jsonl.ts';
export { isMeasurable, type Measure, ONE_VALUE } from './questions/measure.ts';
export { findNumbers, type NumberRead } from './questions/numbers.ts';
export { cutsNumber, foldOption, indexOfLetter, letterOf, mentionsIn, resolveOption } from './questions/options.ts';
export { matchPattern } from './questions/pattern.ts';
export { fold, looseForm, readable, withoutEndPunctuation, withoutMarkdown } from './questions/plain-text.ts';
export { type AmountRead, findAmounts, parseAmount } from './questions/read-amount.ts';
export { readDataset } from './questions/read-dataset.ts';
export { type DateRead, findDates, findYears, iso, parseDate } from './questions/read-date.ts';
export { type DistanceRead, findDistances, parseDistance } from './questions/read-distance.ts';
export { type DurationRead, findDurations, parseDuration } from './questions/read-duration.ts';
export { findUrls, readUrl, type UrlRead } from './questions/read-url.ts';
export { checkerOf, scoringMethod } from './questions/scoring-method.ts';
export { writtenOut } from './questions/written-out.ts';
export { storableJson, storableJsonText, storableText } from './storable-text.ts';
export { BadTasks, type LoadedTask, loadTasks } from './tasks/load-tasks.ts';
export { readTaskText } from './tasks/read-task-text.ts';
export { type EpisodeTaskSpec, parseTask, TASK_LIMITS, type TaskInput, taskSchema } from './tasks/task.ts';
export { taskHash } from './tasks/task-hash.ts';
export type { TaskProblemCode } from './tasks/task-problem.ts';
export { parseSeeds, templatesIn, writeInstances } from './tasks/task-templates.ts';
