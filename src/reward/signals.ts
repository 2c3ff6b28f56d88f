/** The signals: one function per kind of evidence. Each adds its findings to the reasons. */
import { findBlockingPage } from './blocking-page.ts';
import { C } from './constants.ts';
import { CHANGE, STATE_CHANGE } from './page-change.ts';
import type { RewardInput, RewardReason, RewardSignal, TargetHints } from './types.ts';

/** What one signal found that another one needs. */
export interface Findings {
  reasons: RewardReason[];
  /** Bits of `CHANGE`. */
  change: number;
  blocked: boolean;
  failed: boolean;
  leavesGained: boolean;
  leavesLost: boolean;
}

export function contractSignals(input: RewardInput, found: Findings): void {
  const contract = input.contract;
  if (contract == null) return;
  if (contract.verdict === 'pass') add(found, 'contract_pass', C.contractPass, 'contract.verdict=pass');
  if (contract.verdict === 'fail' && contract.heldBefore === true) {
    add(found, 'contract_regressed', C.contractRegressed, 'contract.verdict=fail, contract.heldBefore');
  }
  if (!isCount(contract.holding) || !isCount(contract.heldLeavesBefore)) return;
  // Only a new best is progress, so that a leaf that comes and goes is paid once.
  const best = isCount(contract.bestLeavesBefore) ? contract.bestLeavesBefore : contract.heldLeavesBefore;
  const gained = contract.holding - best;
  found.leavesGained = gained > 0;
  found.leavesLost = contract.holding < contract.heldLeavesBefore;
  if (found.leavesGained) {
    const weight = C.leavesGained + C.leafGainedMore * (gained - 1);
    add(found, 'leaves_gained', weight, `contract.holding ${best} → ${contract.holding}`);
  }
  if (found.leavesLost) {
    add(found, 'leaves_lost', C.leavesLost, `contract.holding ${contract.heldLeavesBefore} → ${contract.holding}`);
  }
}

export function failureSignals(input: RewardInput, found: Findings): void {
  const kind = input.tool.isError === true ? input.tool.errorKind : undefined;
  const page = findBlockingPage(input.current, kind, input.target);
  if (page !== undefined) {
    found.blocked = true;
    add(found, BLOCKING_SIGNALS[page.kind], C[page.kind], page.evidence);
  }
  if (input.tool.isError !== true) return;
  found.failed = true;
  const evidence = typeof kind === 'string' ? 'tool.errorKind' : 'tool.isError';
  if (kind === 'stale_ref') add(found, 'stale_ref', C.staleRef, `${evidence}=stale_ref`);
  else if (kind === 'element_not_found')
    add(found, 'element_not_found', C.elementNotFound, `${evidence}=element_not_found`);
  else if (kind === 'timeout') add(found, 'timeout', C.timeout, `${evidence}=timeout`);
  else add(found, 'tool_failure', C.otherFailure, evidence);
}

export function targetSignals(input: RewardInput, found: Findings): void {
  if (found.failed) return;
  const target = input.target;
  extractionSignals(input, found);
  if (target == null || target.alreadyReached === true) return;
  const reached = reachedBy(input, target);
  if (reached !== undefined) add(found, 'goal_state', C.goalState, reached);
}

/** Extracted items are the expected data only if the task names a number. */
function extractionSignals(input: RewardInput, found: Findings): void {
  const items = input.tool.itemsExtracted;
  if (!isPositive(items) || knownResult(input) === 'same') return;
  const expected = input.target?.expectedItems;
  if (!isPositive(expected)) add(found, 'partial_data', C.partialData, `tool.itemsExtracted=${items}`);
  else if (items < expected) add(found, 'partial_data', C.partialData, `tool.itemsExtracted=${items} of ${expected}`);
  else add(found, 'data_extracted', C.dataExtracted, `tool.itemsExtracted=${items} of ${expected}`);
}

export function changeSignals(input: RewardInput, found: Findings): void {
  const { tool, recent } = input;
  const changed = (found.change & STATE_CHANGE) !== 0;
  if (!found.failed && recent?.lastFailureKind === 'stale_ref' && (found.change & CHANGE.refs) !== 0) {
    add(found, 'fresh_refs', C.freshRefs, 'current.refsDigest, recent.lastFailureKind=stale_ref');
  }
  if (tool.observes === true) {
    if (isPositive(recent?.sameCall) && !hasNews(input, found)) {
      add(found, 'repeated_observation', C.repeatedObservation, 'recent.sameCall, tool.observes');
    } else if (!found.failed) add(found, 'new_information', 0, observationEvidence(input, found));
    return;
  }
  if (found.failed || found.blocked) return;
  // Losing leaves or returning to an earlier state is a change, but not progress.
  if (changed && !found.leavesLost && !isPositive(recent?.sameState)) {
    add(found, 'state_changed', C.stateChanged, changeEvidence(found.change));
  }
  if (changed) return;
  if ((found.change & CHANGE.screenshot) !== 0) add(found, 'visual_change', C.visualChange, 'current.screenshotHash');
  else if ((found.change & CHANGE.writes) !== 0) add(found, 'network_write', C.networkWrite, 'current.network.writes');
  else if (isAttended(input, found)) add(found, 'attention_changed', 0, 'current.attention');
  else if (tool.observes === false && (found.change & CHANGE.contentKnown) !== 0 && !found.leavesGained) {
    add(found, 'no_effect', C.noEffect, 'previous and current digests are equal');
  }
}

export function repeatSignals(input: RewardInput, found: Findings): void {
  const recent = input.recent;
  if (recent != null) {
    if (isPositive(recent.sameCall) && !hasNews(input, found)) {
      addRepeat(found, 'repeated_call', recent.sameCall, C.repeatCallStep, C.repeatCallFloor, 'recent.sameCall');
    }
    if (found.failed && isPositive(recent.sameFailure)) {
      addRepeat(
        found,
        'repeated_failure',
        recent.sameFailure,
        C.repeatFailureStep,
        C.repeatFailureFloor,
        'recent.sameFailure',
      );
    }
    // Observing a state again is not a return to it.
    if (input.tool.observes !== true && isPositive(recent.sameState)) {
      addRepeat(found, 'revisited_state', recent.sameState, C.repeatStateStep, C.repeatStateFloor, 'recent.sameState');
    }
  }
  // `progressing` earns nothing: it is the server's report about itself.
  if (input.progress === 'stalling') add(found, 'stalling', C.stalling, 'progress=stalling');
  if (input.progress === 'stuck') add(found, 'stuck', C.stuck, 'progress=stuck');
}

const BLOCKING_SIGNALS = {
  challenge: 'challenge_page',
  authWall: 'auth_wall',
  blockedStatus: 'blocked_status',
} as const;

function add(found: Findings, signal: RewardSignal, weight: number, evidence: string): void {
  found.reasons.push({ signal, weight, evidence });
}

/** Triangular: each repeat costs more than the one before, until the lowest penalty is reached. */
function addRepeat(
  found: Findings,
  signal: RewardSignal,
  n: number,
  step: number,
  floor: number,
  evidence: string,
): void {
  add(found, signal, Math.max(floor, (step * n * (n + 1)) / 2), `${evidence}=${n}`);
}

/** The action changed where the next one goes to, and not the document: a field has the focus, a text is selected, the pointer or the page moved as it should. */
function isAttended({ tool }: RewardInput, { change }: Findings): boolean {
  if ((change & CHANGE.focus) !== 0) return true;
  if (tool.moves === 'pointer') return (change & CHANGE.pointer) !== 0;
  return tool.moves === 'scroll' && (change & CHANGE.scroll) !== 0;
}

/** Repeating a call is fruitless unless the page or the contract changed or (if the page is unknown) the result did. */
function hasNews(input: RewardInput, found: Findings): boolean {
  if (found.leavesGained || (found.change & (STATE_CHANGE | CHANGE.screenshot | CHANGE.writes)) !== 0) return true;
  if (isAttended(input, found)) return true;
  // A different result for the same call on the same page is noise such as a clock, not new information.
  return (found.change & CHANGE.contentKnown) === 0 && knownResult(input) === 'new';
}

function knownResult(input: RewardInput): 'new' | 'same' | 'unknown' {
  const now = input.tool.resultDigest;
  const last = input.recent?.lastResultDigest;
  if (now == null || last == null) return 'unknown';
  return now === last ? 'same' : 'new';
}

function reachedBy(input: RewardInput, target: TargetHints): string | undefined {
  if (typeof target.url === 'string' && sameAddress(input.current?.url, target.url)) {
    if (!sameAddress(input.previous?.url, target.url)) return 'current.url, target.url';
  }
  if (target.domReached === true) return 'target.domReached';
  return target.networkReached === true ? 'target.networkReached' : undefined;
}

/** The fragment counts only if the target has one; a trailing slash never counts. */
function sameAddress(url: string | undefined, target: string): boolean {
  if (typeof url !== 'string') return false;
  const fragment = target.includes('#') ? -1 : url.indexOf('#');
  return trimSlash(fragment < 0 ? url : url.slice(0, fragment)) === trimSlash(target);
}

function trimSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

function changeEvidence(change: number): string {
  if ((change & CHANGE.url) !== 0)
    return (change & CHANGE.content) !== 0 ? 'current.url, current content' : 'current.url';
  return (change & CHANGE.content) !== 0 ? 'current content' : 'current.dialogs';
}

function observationEvidence(input: RewardInput, found: Findings): string {
  if ((found.change & STATE_CHANGE) !== 0) return changeEvidence(found.change);
  return input.tool.resultDigest == null ? 'tool.observes' : 'tool.resultDigest';
}

function isCount(value: number | undefined | null): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** At least one. */
function isPositive(value: number | undefined | null): value is number {
  return isCount(value) && value >= 1;
}
