/**
 * The Browser Harness: datasets, signed packs, captures, checkers, judge, and the arithmetic of scores, all without a database and pure
 * but for the judge's calls, whose fetch, clock, chance and environment are arguments. data/ and worker/ join it to the store.
 */
export type { Capture, CaptureResult } from './captures/capture-schema.ts';
export { checkCapture, type ImportPlan } from './captures/check-capture.ts';
export type { PlannedItem } from './captures/plan-item.ts';
export { readCapture } from './captures/read-capture.ts';
export { checkItem } from './checkers/check-item.ts';
export type { CheckDetail, CheckResult, ScoreVerdict } from './checkers/check-result.ts';
export {
  type ApiProviderInfo,
  type ApiProviderInput,
  apiProviderSchema,
  callable,
  createApiProvider,
  deleteApiProvider,
  getApiProvider,
  listApiProviders,
  updateApiProvider,
} from './data/api-providers.ts';
export { compareStoredRuns } from './data/compare.ts';
export {
  createDataset,
  type DatasetInfo,
  datasetSections,
  deleteDataset,
  getDataset,
  listDatasetItems,
  listDatasets,
  loadDataset,
  replaceItems,
  reportOf,
} from './data/datasets.ts';
export { getImport, type ImportAnswer, type KnownImport } from './data/import-answer.ts';
export { type ImportDesk, type ImportOutcome, importCapture } from './data/import-capture.ts';
export { draftPack, makePack } from './data/packs.ts';
export { rescore } from './data/rescore.ts';
export { listRunItems } from './data/run-items.ts';
export { getRun, listRunLogs, listRuns, type RunDetail, type RunInfo, runRow } from './data/runs.ts';
export {
  listSigningKeys,
  openSigningKeys,
  retireSigningKey,
  rotateSigningKey,
  SIGNING_KEYS_FILE,
  type SigningKeyInfo,
} from './data/signing-keys.ts';
export { type DatasetBundle, readBundle, writeBundle } from './datasets/bundle.ts';
export type { Checker } from './datasets/checker-schema.ts';
export { type Dataset, sectionsOf, versionHash } from './datasets/dataset.ts';
export { ITEM_TYPES, type Item, type ItemType, itemSchema } from './datasets/item.ts';
export { type DatasetReport, type LineProblem, parseJsonl, toJsonl } from './datasets/jsonl.ts';
export { sha256Hex } from './hash.ts';
export type { ApiProvider, CallContext, CallLimits } from './judge/api-provider.ts';
export { type CompleteRequest, type Completion, completeItem } from './judge/complete-item.ts';
export { type JudgeProvider, type JudgeRecord, type JudgeResult, judgeItem } from './judge/judge-item.ts';
export type { JudgeQuestion } from './judge/judge-prompt.ts';
export { ProviderSlots } from './judge/provider-slots.ts';
export { systemContext } from './judge/system-context.ts';
export type { AskOptions } from './launch/ask-run.ts';
export { cancelRun } from './launch/cancel-run.ts';
export { LAUNCH_QUEUE } from './launch/enqueue-launch.ts';
export {
  DEFAULT_CONCURRENCY,
  type LaunchRequest,
  launchRequestSchema,
  MAX_CONCURRENCY,
} from './launch/launch-request.ts';
export { draftLaunch, type LaunchDesk, type Launched, launchRun } from './launch/launch-run.ts';
export { requeueLost } from './launch/requeue-lost.ts';
export { resumeRun } from './launch/resume-run.ts';
export { defineLaunching, startLaunching } from './launch/start-launching.ts';
export { DEFAULT_TTL_S, MAX_BODY_BYTES, MAX_PACK_ITEMS, MAX_TTL_S, MIN_TTL_S } from './limits.ts';
export { buildPack, type Pack, type PackContext, packTarget } from './packs/build-pack.ts';
export { findLeaks, type Leak } from './packs/find-leaks.ts';
export { type Judge, judgeSchema } from './packs/judge.ts';
export { type PackRequest, packRequestSchema } from './packs/pack-request.ts';
export { HarnessProblem, PROBLEM_STATUS, type ProblemCode, type ProblemIssue } from './problem.ts';
export { cronProblem, timesAfter } from './schedules/cron.ts';
export { fireDue } from './schedules/fire-due.ts';
export { type ScheduleInput, scheduleInputSchema } from './schedules/schedule-input.ts';
export {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  runScheduleNow,
  type ScheduleInfo,
  updateSchedule,
} from './schedules/schedules.ts';
export { type SchedulerOptions, startScheduler } from './schedules/start-scheduler.ts';
export { type ComparedItem, type ComparedRun, compareRuns, type RunComparison } from './scoring/compare-runs.ts';
export { type JudgeForRun, judgeForRun, type ProviderRef, type RunJudgeConfig } from './scoring/judge-for-run.ts';
export { type PlannedScore, planScoring, type RunItem, type ScoringPlan } from './scoring/plan-scoring.ts';
export { latestScores, type ScoreRow } from './scoring/scores.ts';
export { type ScoringMethod, scoringMethod } from './scoring/scoring-method.ts';
export { type Accuracy, type RunSummary, summarise } from './scoring/summarise.ts';
export { PRESETS, type PresetName, type Target } from './target.ts';
export { type TokenKey, type TokenKeys, tokenKeys } from './tokens/token-keys.ts';
export { type VerifiedToken, verifyToken } from './tokens/verify-token.ts';
export type { Warning } from './warning.ts';
export { SCORE_QUEUE } from './worker/enqueue-scoring.ts';
export type { ScoreOptions } from './worker/score-run.ts';
export { defineScoring, startScoring } from './worker/start-scoring.ts';
