/**
 * Turns the evidence of one step into a bounded score with its reasons.
 * The weights of the reasons add up to the score, within the bounds of the table of constants.
 */
import { confidenceOf } from './confidence.ts';
import { C } from './constants.ts';
import { comparePages } from './page-change.ts';
import {
  changeSignals,
  contractSignals,
  type Findings,
  failureSignals,
  repeatSignals,
  targetSignals,
} from './signals.ts';
import type { Reward, RewardClassification, RewardInput, RewardReason, RewardSignal, RewardTier } from './types.ts';

/**
 * Scores one step. Pure: the same input gives the same output, and a missing input is never an error.
 *
 * @example
 * const step = score({
 *   tool: { name: 'interact', observes: false, isError: false },
 *   previous: { url: 'http://shop.test/', textDigest: 'a' },
 *   current: { url: 'http://shop.test/cart', textDigest: 'b' },
 * });
 * step.classification; // => 'progress'
 * step.score; // => 0.3
 * step.reasons; // => [{ signal: 'state_changed', weight: 0.3, evidence: 'current.url, current content' }]
 */
export function score(input: RewardInput): Reward {
  const confidence = confidenceOf(input);
  // Checked before the contract: a step that tried a forbidden action is not a success, whatever the page shows now.
  const breach = gateBreach(input);
  if (breach !== undefined) {
    const reasons: RewardReason[] = [{ signal: 'gate_breach', weight: C.hardNegative, evidence: breach }];
    return reward(
      C.hardNegative,
      'destructive_blocked',
      'hard_negative',
      reasons,
      Math.max(confidence, C.decisiveConfidence),
    );
  }
  const found: Findings = {
    reasons: [],
    change: comparePages(input.previous, input.current, input.volatile),
    blocked: false,
    failed: false,
    leavesGained: false,
    leavesLost: false,
  };
  contractSignals(input, found);
  failureSignals(input, found);
  targetSignals(input, found);
  changeSignals(input, found);
  repeatSignals(input, found);
  if (input.contract?.verdict === 'pass') return passed(found.reasons, confidence);
  return scored(found.reasons, confidence);
}

function passed(reasons: RewardReason[], confidence: number): Reward {
  const value = Math.max(C.contractPassFloor, C.contractPass + sumOf(reasons, -1));
  return reward(value, 'contract_pass', 'strong_positive', reasons, Math.max(confidence, C.decisiveConfidence));
}

/** The score decides the tier; the strongest kind of signal with that sign decides the classification. */
function scored(reasons: RewardReason[], confidence: number): Reward {
  if (reasons.length === 0) reasons.push({ signal: 'nothing_known', weight: 0, evidence: 'tool.name' });
  const strong = has(reasons, 'goal_state') || has(reasons, 'data_extracted');
  const gain = Math.min(sumOf(reasons, 1), strong ? C.heuristicCeiling : C.weakCeiling);
  const value = round(Math.max(C.heuristicFloor, gain + sumOf(reasons, -1)));
  if (value >= C.strongThreshold) {
    const classification = has(reasons, 'goal_state') ? 'goal_state' : 'data_extracted';
    return reward(value, classification, 'strong_positive', reasons, confidence);
  }
  if (value > 0) return reward(value, 'progress', 'weak_positive', reasons, confidence);
  if (value === 0) return reward(0, 'observation', 'neutral', reasons, confidence);
  return reward(value, negativeClass(reasons), 'negative', reasons, confidence);
}

function negativeClass(reasons: RewardReason[]): RewardClassification {
  if (has(reasons, 'challenge_page') || has(reasons, 'auth_wall') || has(reasons, 'blocked_status')) return 'blocked';
  for (const { signal } of reasons) if (FAILURES.has(signal)) return 'failure';
  return 'no_progress';
}

const FAILURES: ReadonlySet<RewardSignal> = new Set([
  'stale_ref',
  'element_not_found',
  'timeout',
  'tool_failure',
  'contract_regressed',
]);

function gateBreach(input: RewardInput): string | undefined {
  if (input.tool.isError === true && input.tool.errorKind === 'gate_refused') return 'tool.errorKind=gate_refused';
  // Unknown counts as not allowed.
  return input.destructive === true && input.gated !== true ? 'destructive, gated' : undefined;
}

function sumOf(reasons: readonly RewardReason[], sign: 1 | -1): number {
  let sum = 0;
  for (const { weight } of reasons) if (weight * sign > 0) sum += weight;
  return sum;
}

function has(reasons: readonly RewardReason[], signal: RewardSignal): boolean {
  for (const reason of reasons) if (reason.signal === signal) return true;
  return false;
}

function reward(
  value: number,
  classification: RewardClassification,
  tier: RewardTier,
  reasons: RewardReason[],
  confidence: number,
): Reward {
  return { score: round(value), classification, tier, reasons, confidence: round(confidence) };
}

/** Sums of decimal weights have binary rounding errors (0.30000000000000004) that reports should not show. */
function round(value: number): number {
  const rounded = Math.round(value * 10_000) / 10_000;
  return rounded === 0 ? 0 : rounded;
}
