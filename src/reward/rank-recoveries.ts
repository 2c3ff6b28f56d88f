/** Ranks what could be tried after a failure. It only suggests: nothing here runs a tool. */
import { failureKindOf, type TrajectoryNode } from './ledger.ts';

export interface RecoveryCandidate {
  tool: string;
  /** The arguments as the ledger summarizes them, if the candidate has any. */
  arguments?: string | undefined;
  /** The tool only observes. */
  observes?: boolean | undefined;
  destructive?: boolean | undefined;
  gated?: boolean | undefined;
  /** In [0, 1]: how much of the name of its element is in the goal. */
  goalFit?: number | undefined;
}

export interface RankedRecovery {
  candidate: RecoveryCandidate;
  /** In [0, 1]; comparable within one ranking only. */
  score: number;
  reasons: string[];
}

/**
 * Ranks candidates for the failure in the last node of the history. On a blocking page, candidates that only observe come
 * first; guarded actions that are not allowed always come last. The order of the candidates does not matter.
 *
 * @example
 * const history = [{ id: 'n1', parent: null, tool: 'interact', arguments: 'ref=e3', status: 'error', failure: 'stale_ref:interact:35f8b844' }];
 * const ranked = rankRecoveries([{ tool: 'interact', arguments: 'ref=e3' }, { tool: 'read_page', observes: true }], history);
 * ranked.map((r) => r.candidate.tool); // => ['read_page', 'interact']
 */
export function rankRecoveries(
  candidates: readonly RecoveryCandidate[],
  history: readonly TrajectoryNode[],
): RankedRecovery[] {
  const last = history.at(-1);
  const blocked = last?.reward?.classification === 'blocked';
  return candidates
    .map((candidate) => ({ bar: groupOf(candidate, blocked), ...rate(candidate, history, last, blocked) }))
    .sort((a, b) => a.bar - b.bar || b.score - a.score || compare(keyOf(a.candidate), keyOf(b.candidate)))
    .map(({ candidate, score, reasons }) => ({ candidate, score, reasons }));
}

/** A group that no score can outrank. */
function groupOf(candidate: RecoveryCandidate, blocked: boolean): number {
  if (isNotAllowed(candidate)) return 2;
  return blocked && candidate.observes !== true ? 1 : 0;
}

function rate(
  candidate: RecoveryCandidate,
  history: readonly TrajectoryNode[],
  last: TrajectoryNode | undefined,
  blocked: boolean,
): RankedRecovery {
  const reasons: string[] = [];
  const failure = last?.failure;
  const kind = failure === undefined ? undefined : failureKindOf(failure);
  const past = countPast(candidate.tool, kind, history);
  // Laplace's rule: without history the rate is one half, and one success is not a certainty.
  let value = (past.recovered + 1) / (past.recovered + past.failed + 2);
  if (past.recovered + past.failed > 0) {
    reasons.push(
      `recovered ${past.recovered} of ${past.recovered + past.failed} earlier ${kind ?? 'unknown'} failures`,
    );
  }
  if (candidate.observes === true) {
    value += 0.2;
    reasons.push(blocked ? 'only observes, and the page is blocking' : 'only observes: finds out what is there now');
    if (kind === 'stale_ref' || kind === 'element_not_found') {
      value += 0.2;
      reasons.push(`fresh refs answer ${kind}`);
    }
  } else if (blocked) reasons.push('acts on a blocking page');
  const fit = Math.min(1, Math.max(0, candidate.goalFit ?? 0));
  if (fit > 0) {
    value += 0.4 * fit;
    reasons.push('the goal names its element');
  }
  const repeats = sameCallFailures(candidate, history);
  if (repeats > 0) {
    value /= 2 ** repeats;
    reasons.push(`the same call failed ${repeats} ${repeats === 1 ? 'time' : 'times'} just now`);
  }
  if (isNotAllowed(candidate)) reasons.push('destructive, and not allowed');
  if (reasons.length === 0) reasons.push('nothing known for or against it');
  return { candidate, score: Math.round(Math.min(1, value / 1.4) * 10_000) / 10_000, reasons };
}

/** How often this tool recovered from such a failure, and how often it was tried next and failed too. */
function countPast(
  tool: string,
  kind: string | undefined,
  history: readonly TrajectoryNode[],
): { recovered: number; failed: number } {
  let recovered = 0;
  let failed = 0;
  let before: TrajectoryNode | undefined;
  for (const node of history) {
    const failedBefore = before?.failure;
    if (node.status === 'recovered' && node.recoveryTool === tool && sameKind(node.failure ?? failedBefore, kind))
      recovered++;
    else if (node.tool === tool && failedBefore !== undefined && sameKind(failedBefore, kind) && !isGood(node))
      failed++;
    before = node;
  }
  return { recovered, failed };
}

function sameKind(fingerprint: string | undefined, kind: string | undefined): boolean {
  return fingerprint !== undefined && kind !== undefined && failureKindOf(fingerprint) === kind;
}

function isGood(node: TrajectoryNode): boolean {
  return node.status === 'success' || node.status === 'recovered';
}

/** How many times exactly this call failed at the end of the history. */
function sameCallFailures(candidate: RecoveryCandidate, history: readonly TrajectoryNode[]): number {
  let count = 0;
  for (let at = history.length - 1; at >= 0; at--) {
    const node = history[at];
    if (node === undefined || isGood(node)) break;
    if (node.tool === candidate.tool && node.arguments === (candidate.arguments ?? '')) count++;
  }
  return count;
}

function isNotAllowed(candidate: RecoveryCandidate): boolean {
  return candidate.destructive === true && candidate.gated !== true;
}

function keyOf(candidate: RecoveryCandidate): string {
  return JSON.stringify([
    candidate.tool,
    candidate.arguments ?? null,
    candidate.observes ?? null,
    candidate.destructive ?? null,
    candidate.gated ?? null,
    candidate.goalFit ?? null,
  ]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
