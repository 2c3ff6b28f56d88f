/**
 * waymark/metrics: the numbers of one episode from its events, and statistics over many episodes.
 * Pure functions. Functions that resample take a seeded source of randomness.
 */
export { type Agreement, AgreementFold, agreementOf, type NotCompared, type Share, shareOf } from './agreement.ts';
export { ANSWER_ERRORS, type AnswerState, answerOutcome } from './answer-outcome.ts';
export {
  type BootstrapOptions,
  type BootstrapResult,
  clusteredBootstrap,
  type Pair,
  pairedBootstrap,
} from './bootstrap.ts';
export { CLAIM_SAMPLES, type ClaimArm, type ClaimEligibility, claimEligibility } from './claim.ts';
export { type Comparison, comparePairs } from './compare.ts';
export {
  type AmountName,
  type ComparedArm,
  type ComparedGroup,
  type Counting,
  compareSamples,
  type SampleComparison,
} from './compare-samples.ts';
export { type EpisodeMetrics, type EpisodeMetricsOptions, episodeMetrics } from './episode-metrics.ts';
export type {
  ContractEvalEvent,
  EpisodeStatus,
  EvidenceEvent,
  MetricEvent,
  ProgressEvent,
  ResetEvent,
  RewardEvent,
  ScreenshotEvent,
  StopCause,
  StopEvent,
  ToolCallEvent,
  ToolResultEvent,
} from './events.ts';
export { type AgreementTable, cohensKappa, type Kappa } from './kappa.ts';
export type { Loop } from './loops.ts';
export { type CallOfMove, type Move, moveOf } from './move.ts';
export { aaNoiseFloor, type NoiseFloor } from './noise-floor.ts';
export {
  AGENT_OUTCOMES,
  FAULT_OUTCOMES,
  isAgentOutcome,
  type OutcomeClass,
  outcomeClass,
  outcomeOfFault,
  passRates,
  type Rate,
} from './outcome.ts';
export { type ExactTest, mcnemarExact, signTest } from './paired-tests.ts';
export { passAtK, passHatK } from './pass-at-k.ts';
export { percentile } from './percentile.ts';
export { minimumDetectableEffect, type PowerOptions, trialsNeeded, trialsNeededUnpaired } from './power.ts';
export { type Random, seededRandom } from './random.ts';
export type { Recovery, Spell } from './recovery.ts';
export { resamplesFor } from './resamples.ts';
export type { RunSample, SampledCase, SampledTrial } from './run-sample.ts';
export {
  type AtK,
  type CaseStatistics,
  type RunStatistics,
  ratesOf,
  runStatistics,
  type Spread,
  spreadOf,
} from './run-statistics.ts';
export {
  type EpisodeTokens,
  episodeTokens,
  loadTokenCounter,
  type TokenCount,
  type TokenCounter,
  type TokenSummary,
} from './tokens.ts';
export { type TrendRow, trendOf } from './trend.ts';
export type { Wandering } from './wandering.ts';
export { type Interval, wilsonInterval } from './wilson.ts';
