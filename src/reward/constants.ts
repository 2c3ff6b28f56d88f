/**
 * Every number that the scorer uses, in one table: its value and its meaning.
 * `docs/reference/reward.md` shows the same table, and a test keeps the two equal.
 */
import { sha256Hex } from '../hashes/index.ts';

/** Increase it when the rules, or the evidence that episodes pass, change although the constants stay the same. 2: targets are passed. 3: the sum of an episode is bounded. */
const SCORER_VERSION = 3;

/** Weights are added; the bounds below then limit the sum. A negative weight is a penalty. */
export const REWARD_CONSTANTS = {
  contractPass: { value: 1, meaning: 'score of a passing contract, before penalties' },
  contractPassFloor: { value: 0.9, meaning: 'lowest score of a passing contract, above every sum of heuristics' },
  heuristicCeiling: { value: 0.8, meaning: 'highest sum of heuristics' },
  heuristicFloor: { value: -0.9, meaning: 'lowest sum of heuristics' },
  hardNegative: { value: -1, meaning: 'a guarded action that was not allowed' },
  strongThreshold: { value: 0.5, meaning: 'from here a positive score is strong_positive' },
  weakCeiling: { value: 0.45, meaning: 'highest sum of weak positive signals alone' },
  goalState: { value: 0.7, meaning: 'the URL, DOM or network state that the task names was reached by this step' },
  dataExtracted: { value: 0.6, meaning: 'the expected number of items was extracted' },
  partialData: { value: 0.2, meaning: 'items were extracted, but fewer than expected or none were expected' },
  stateChanged: { value: 0.3, meaning: 'an action changed the page to a state not seen before' },
  visualChange: { value: 0.1, meaning: 'only the screenshot changed (canvas pages)' },
  networkWrite: { value: 0.1, meaning: 'only a successful writing request shows an effect' },
  leavesGained: { value: 0.25, meaning: 'one more leaf of the contract holds' },
  leafGainedMore: { value: 0.05, meaning: 'each further leaf gained in the same step' },
  freshRefs: { value: 0.2, meaning: 'new actionable refs after a stale-ref failure' },
  leavesLost: { value: -0.2, meaning: 'fewer leaves of the contract hold than before' },
  contractRegressed: { value: -0.5, meaning: 'the contract fails although it held before' },
  noEffect: { value: -0.15, meaning: 'an action left the page as it was' },
  repeatedObservation: { value: -0.1, meaning: 'the same observation again, without new information' },
  stalling: { value: -0.1, meaning: 'progress status stalling' },
  stuck: { value: -0.2, meaning: 'progress status stuck' },
  staleRef: { value: -0.3, meaning: 'tool error: the ref is stale' },
  elementNotFound: { value: -0.3, meaning: 'tool error: no such element' },
  timeout: { value: -0.35, meaning: 'tool error: timeout' },
  otherFailure: { value: -0.3, meaning: 'tool error of another or unknown kind' },
  authWall: { value: -0.5, meaning: 'sign-in page that the task did not ask for' },
  blockedStatus: {
    value: -0.5,
    meaning: 'document answered 403, 429, 451 or 503, or the tool reported that the page is blocked',
  },
  challenge: { value: -0.6, meaning: 'CAPTCHA or challenge frame over the page' },
  repeatCallStep: { value: -0.05, meaning: 'same fruitless call again: this × n(n+1)/2' },
  repeatCallFloor: { value: -0.3, meaning: 'lowest penalty for repeating a call' },
  repeatFailureStep: { value: -0.1, meaning: 'same failed tool and ref again: this × n(n+1)/2' },
  repeatFailureFloor: { value: -0.5, meaning: 'lowest penalty for repeating a failure' },
  repeatStateStep: { value: -0.05, meaning: 'came back to a state left before: this × n(n+1)/2' },
  repeatStateFloor: { value: -0.3, meaning: 'lowest penalty for returning to a state' },
  sumLeaves: { value: 0.4, meaning: 'most that an episode sums to while its contract does not hold' },
  sumPenalties: { value: 0.4, meaning: 'what all penalties together take off the sum of an episode, at most' },
  sumPenaltyHalf: { value: 2, meaning: 'penalties that take off half of that' },
  knowsContract: { value: 0.3, meaning: 'confidence from a pass or fail verdict; half of it when inconclusive' },
  knowsPage: { value: 0.2, meaning: 'confidence from the current page; half of it when only its URL is known' },
  knowsPreviousPage: { value: 0.15, meaning: 'confidence from the page before; half of it when only its URL is known' },
  knowsHistory: { value: 0.15, meaning: 'confidence from the summary of recent calls' },
  knowsOutcome: { value: 0.1, meaning: 'confidence from isError; half of it for an error without a kind' },
  knowsToolKind: { value: 0.1, meaning: 'confidence from knowing whether the tool only observes' },
  decisiveConfidence: {
    value: 0.9,
    meaning: 'lowest confidence where a pass or a refused guarded action decides alone',
  },
} as const satisfies Record<string, { value: number; meaning: string }>;

export type RewardConstant = keyof typeof REWARD_CONSTANTS;

/** The values alone, frozen. The scorer reads these. */
export const C: Readonly<Record<RewardConstant, number>> = Object.freeze(
  Object.fromEntries(Object.entries(REWARD_CONSTANTS).map(([name, { value }]) => [name, value])) as Record<
    RewardConstant,
    number
  >,
);

/** Identifies the rules and constants behind a score, so that stored results of different versions can be distinguished. */
export const REWARD_PROVENANCE: Readonly<{ scorer: string; constants: string }> = Object.freeze({
  scorer: `waymark-reward/${SCORER_VERSION}`,
  constants: `sha256:${sha256Hex(canonicalValues())}`,
});

/** Sorted, so that the hash does not depend on the order of the table's rows. */
function canonicalValues(): string {
  return JSON.stringify(Object.entries(C).sort(([a], [b]) => (a < b ? -1 : 1)));
}
