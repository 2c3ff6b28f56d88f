/** The pure part of cases/: schemas and types of tasks and questions. No file is read here, so that a browser can run it. */
export type { AllSpec } from './graders/all-spec.ts';
export { type AnswerSpec, specChecker } from './graders/answer-spec.ts';
export type { CommandSpec, ModuleSpec } from './graders/code-specs.ts';
export { graderNameSchema } from './graders/grader-name.ts';
export {
  GRADER_KINDS,
  type GraderKind,
  type GraderSpec,
  graderSpecSchema,
  nameOfSpec,
  type SpecOf,
} from './graders/grader-spec.ts';
export {
  type PerformanceSpec,
  type RubricCriterion,
  type RubricSpec,
  rubricCriterionSchema,
  type WebjudgeSpec,
  type WebvoyagerSpec,
} from './graders/judge-specs.ts';
export type { ExpectedValue, NetworkRule, NetworkSpec, ValueFormat } from './graders/network-spec.ts';
export type { StateDiffSpec } from './graders/state-diff-spec.ts';
export type { TrajectorySpec } from './graders/trajectory-spec.ts';
export { type Checker, checkerSchema } from './questions/checker-schema.ts';
export { ITEM_TYPES, type Item, itemSchema } from './questions/item.ts';
export { determinismSchema } from './tasks/determinism.ts';
export { defineTask, type EpisodeTaskSpec, parseTask, TASK_LIMITS, type TaskInput, taskSchema } from './tasks/task.ts';
