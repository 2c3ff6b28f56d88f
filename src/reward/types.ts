/** The scorer's input and output: hashes, counters and flags, never payloads. */

/** The kinds of tool failure that the scorer knows. Any other string counts as a failure of unknown kind. */
export const FAILURE_KINDS = [
  'stale_ref',
  'element_not_found',
  'timeout',
  'auth_required',
  'captcha',
  'blocked_page',
  'gate_refused',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** What the witness observed of a page. Every field may be missing. */
export interface PageState {
  url?: string | undefined;
  domDigest?: string | undefined;
  textDigest?: string | undefined;
  /** Digest of the refs that an action can target. */
  refsDigest?: string | undefined;
  /** Digests of disjoint regions by path. They make it possible to ignore the volatile parts. */
  regions?: Readonly<Record<string, string>> | undefined;
  screenshotHash?: string | undefined;
  /** What an action may change without a change of the document. */
  attention?: PageAttention | undefined;
  /** How many JavaScript dialogs have been opened so far. */
  dialogs?: number | undefined;
  /** Counters since the start of the episode. `writes`: non-GET requests answered 2xx. */
  network?: { requests?: number | undefined; failed?: number | undefined; writes?: number | undefined } | undefined;
  /** HTTP status of the top document. */
  status?: number | undefined;
  /** The document was reached through a redirect. */
  redirected?: boolean | undefined;
  features?: PageFeatures | undefined;
}

/** Counts of focused fields, of elements that the pointer came over, and of scrolls; a digest of the selected text. */
export interface PageAttention {
  focus?: number | undefined;
  selection?: string | undefined;
  pointer?: number | undefined;
  scrolls?: number | undefined;
}

/** Structure that makes a page block the agent. The witness finds it in elements and frames, not in words. */
export interface PageFeatures {
  passwordForm?: boolean | undefined;
  /** A visible challenge frame. An invisible badge does not count. */
  challengeFrame?: boolean | undefined;
  /** Pixels that are not in the document: a picture may show what digests do not. */
  canvas?: boolean | undefined;
}

export interface ToolOutcome {
  name: string;
  /** The tool only observes, according to the server's profile. */
  observes?: boolean | undefined;
  /** It is made to move the pointer or to scroll. Other actions may do so by the way, and that is no effect. */
  moves?: 'pointer' | 'scroll' | undefined;
  isError?: boolean | undefined;
  errorKind?: FailureKind | (string & {}) | undefined;
  itemsExtracted?: number | undefined;
  resultDigest?: string | undefined;
}

export interface ContractState {
  verdict: 'pass' | 'fail' | 'inconclusive';
  /** How many leaves hold now, and before this step. In an episode, before: at both of the last two looks, so that a leaf that held for one look only is not lost. */
  holding?: number | undefined;
  heldLeavesBefore?: number | undefined;
  /** The most leaves that held at any earlier look. Without it: those that held before. */
  bestLeavesBefore?: number | undefined;
  /** The whole contract passed at an earlier step. */
  heldBefore?: boolean | undefined;
}

/** Counts over the recent calls, without this one. */
export interface RecentCalls {
  /** Earlier calls in a row with the same tool and arguments. */
  sameCall?: number | undefined;
  /** Earlier failures in a row of the same tool on the same ref. */
  sameFailure?: number | undefined;
  /** How often the agent left the current state and returned to it. */
  sameState?: number | undefined;
  /** Kind of the latest failure, until a later step recovers from it. */
  lastFailureKind?: FailureKind | (string & {}) | undefined;
  /** Result digest of the latest identical call. */
  lastResultDigest?: string | undefined;
}

/** What the task names as its target. */
export interface TargetHints {
  url?: string | undefined;
  /** The witness observes the DOM or network state that the task names. */
  domReached?: boolean | undefined;
  networkReached?: boolean | undefined;
  /** A target was reached before this step; reaching it is rewarded only once. */
  alreadyReached?: boolean | undefined;
  expectedItems?: number | undefined;
  /** Signing in is part of the task: a password form does not block the agent. */
  expectsLogin?: boolean | undefined;
}

/** Noise by page (URL without query and fragment) and then by region path. Plain JSON. */
export interface VolatileRegions {
  readonly pages: Readonly<Record<string, Readonly<Record<string, true>>>>;
}

export interface RewardInput {
  tool: ToolOutcome;
  previous?: PageState | undefined;
  current?: PageState | undefined;
  progress?: 'progressing' | 'stalling' | 'stuck' | undefined;
  contract?: ContractState | undefined;
  recent?: RecentCalls | undefined;
  target?: TargetHints | undefined;
  /** Destructive or transactional. */
  destructive?: boolean | undefined;
  /** The guarded action was allowed. */
  gated?: boolean | undefined;
  /** The parts of these pages that are known to change without an action. */
  volatile?: VolatileRegions | undefined;
}

export type RewardTier = 'strong_positive' | 'weak_positive' | 'neutral' | 'negative' | 'hard_negative';

export type RewardClassification =
  | 'contract_pass'
  | 'goal_state'
  | 'data_extracted'
  | 'progress'
  | 'observation'
  | 'no_progress'
  | 'failure'
  | 'blocked'
  | 'destructive_blocked';

/** All signals that a reason can name. */
export const REWARD_SIGNALS = [
  'contract_pass',
  'contract_regressed',
  'leaves_gained',
  'leaves_lost',
  'goal_state',
  'data_extracted',
  'partial_data',
  'state_changed',
  'visual_change',
  'attention_changed',
  'network_write',
  'fresh_refs',
  'new_information',
  'repeated_observation',
  'no_effect',
  'repeated_call',
  'repeated_failure',
  'revisited_state',
  'stalling',
  'stuck',
  'stale_ref',
  'element_not_found',
  'timeout',
  'tool_failure',
  'challenge_page',
  'auth_wall',
  'blocked_status',
  'gate_breach',
  'nothing_known',
] as const;
export type RewardSignal = (typeof REWARD_SIGNALS)[number];

/** One piece of evidence and its weight before the bounds. */
export interface RewardReason {
  signal: RewardSignal;
  weight: number;
  /** The fields of the input that show it. */
  evidence: string;
}

export interface Reward {
  /** In [-1, 1]. */
  score: number;
  classification: RewardClassification;
  tier: RewardTier;
  reasons: RewardReason[];
  /** In [0, 1]: how much of the evidence was present. */
  confidence: number;
}
