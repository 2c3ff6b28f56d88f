/**
 * waymark/reward: a deterministic score for progress and recovery.
 * Pure data in and out; no model, no clock, no randomness, no I/O.
 */
export { findBlockingPage } from './blocking-page.ts';
export { REWARD_CONSTANTS, REWARD_PROVENANCE, type RewardConstant } from './constants.ts';
export { EPISODE_START, type EpisodeState, episodeSum, penaltyOf } from './episode-sum.ts';
export {
  type Attempt,
  type AttemptStatus,
  appendAttempt,
  EMPTY_LEDGER,
  failureKindOf,
  LEDGER_LIMITS,
  type LedgerLimits,
  type LedgerState,
  type LedgerStep,
  type TrajectoryNode,
} from './ledger.ts';
export { type RankedRecovery, type RecoveryCandidate, rankRecoveries } from './rank-recoveries.ts';
export { type RedactOptions, redactText, summarizeArguments } from './redact.ts';
export { score } from './score.ts';
export {
  type ContractState,
  FAILURE_KINDS,
  type FailureKind,
  type PageAttention,
  type PageFeatures,
  type PageState,
  REWARD_SIGNALS,
  type RecentCalls,
  type Reward,
  type RewardClassification,
  type RewardInput,
  type RewardReason,
  type RewardSignal,
  type RewardTier,
  type TargetHints,
  type ToolOutcome,
  type VolatileRegions,
} from './types.ts';
export {
  learnVolatile,
  NEW_NOISE_WATCH,
  NO_VOLATILE_REGIONS,
  type NoiseWatch,
  stateFingerprint,
  watchNoise,
} from './volatile-regions.ts';
