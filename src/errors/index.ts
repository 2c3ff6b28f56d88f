/** Errors that people see: what happened to what, and what to do about it. */
export { HarnessProblem, PROBLEM_STATUS, type ProblemCode, type ProblemIssue, someOf } from './problem.ts';
export { notFound, StoreRefusal } from './store-refusal.ts';
export type { Warning } from './warning.ts';
export { messageOf, WaymarkError, type WaymarkErrorOptions } from './waymark-error.ts';
export { issuesOf, sentenceOf } from './zod-issues.ts';
