/** Errors that people see: what happened to what, whose fault it is, and what to do about it. */
export { CODES, type CodeEntry, type ErrorCode, FAULTS, type Fault, isErrorCode, statusOf } from './codes.ts';
export { counted } from './counted.ts';
export { causesOf, sqlStateOf } from './database-message.ts';
export { notFound } from './not-found.ts';
export { someOf } from './some-of.ts';
export { traceOf } from './trace-of.ts';
export type { Warning } from './warning.ts';
export { errorFault, messageOf, type ProblemIssue, WaymarkError } from './waymark-error.ts';
export { findingsOf, issuesOf, pathText, sentenceOf } from './zod-issues.ts';
