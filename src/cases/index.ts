/** Cases: tasks (a start page, a goal, a contract) and questions (a prompt, a checker), alone or in files and datasets. */
export { DECIDING_GRADERS, decidingGrade, furtherNameProblem, isDeciding } from './graders/deciding-grade.ts';
export {
  GRADER_KINDS,
  type GraderKind,
  type GraderSpec,
  graderSpecSchema,
  gradingProblems,
  nameOfSpec,
  type SpecOf,
} from './graders/grader-spec.ts';
export { canonicalHash, promptHash, sha256Hex } from './hash.ts';
export { MAX_ID, MAX_PACK_ITEMS, MAX_PROMPT, MAX_RESPONSE } from './limits.ts';
export { writeBundle } from './questions/bundle.ts';
export type { Checker } from './questions/checker-schema.ts';
export { type Dataset, sectionsOf, versionHash } from './questions/dataset.ts';
export { type ExpectedNumber, parseExpected } from './questions/expected-number.ts';
export { ITEM_TYPES, type Item, itemSchema } from './questions/item.ts';
export { type DatasetReport, parseJsonl, toJsonl } from './questions/jsonl.ts';
export { findNumbers, type NumberRead, writtenOut } from './questions/numbers.ts';
export { foldOption, indexOfLetter, letterOf, mentionsIn, resolveOption } from './questions/options.ts';
export { matchPattern } from './questions/pattern.ts';
export { fold, readable, withoutEndPunctuation, withoutMarkdown } from './questions/plain-text.ts';
export { readDataset } from './questions/read-dataset.ts';
export { checkerOf, scoringMethod } from './questions/scoring-method.ts';
export { storableText } from './storable-text.ts';
export { BadTasks, type LoadedTask, loadTasks } from './tasks/load-tasks.ts';
export { type EpisodeTaskSpec, parseTask, TASK_LIMITS, type TaskInput, taskSchema } from './tasks/task.ts';
export { taskHash } from './tasks/task-hash.ts';
export type { TaskProblemCode } from './tasks/task-problem.ts';
