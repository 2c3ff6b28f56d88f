/** The rewards of one lane: its page, its noise, its calls and the leaves of the contract that held on its page. */
import { tallyLeaves } from '../contracts/index.ts';
import {
  learnVolatile,
  NO_VOLATILE_REGIONS,
  type PageState,
  type Reward,
  score,
  stateFingerprint,
  type TargetHints,
  type VolatileRegions,
} from '../reward/index.ts';
import { CallHistory } from './call-history.ts';
import type { EventOf, NewEvent } from './events.ts';
import { type EvidenceBody, pageStateOf } from './page-state.ts';

export type Scored<T extends 'tool_call' | 'tool_result' | 'evidence' | 'contract_eval' | 'progress'> =
  | NewEvent<T>
  | EventOf<T>;

/** What the lanes of an attempt share. */
export interface AttemptState {
  /** The contract has held at some time in the attempt. */
  heldBefore: boolean;
  target: TargetHints;
}

export class LaneScorer {
  readonly #history = new CallHistory();
  #noise: VolatileRegions = NO_VOLATILE_REGIONS;
  #call: Scored<'tool_call'> | undefined;
  #result: Scored<'tool_result'> | undefined;
  #progress: string | undefined;
  #before: PageState | undefined;
  #page: PageState | undefined;
  #leavesHeld: number | undefined;

  /** Names the state that an evidence shows, with what is known to be noise left out. */
  fingerprint(evidence: EvidenceBody | EventOf<'evidence'>): string | undefined {
    return stateFingerprint(pageStateOf(evidence), this.#noise);
  }

  onCall(event: Scored<'tool_call'>): void {
    this.#call = event;
    this.#result = undefined;
    this.#progress = undefined;
  }

  onResult(event: Scored<'tool_result'>): void {
    this.#result = event;
  }

  onProgress(event: Scored<'progress'>): void {
    this.#progress = event.status;
  }

  /** After a call: the page now. Without one: the lane did not act in between, so what changed is noise, unless another lane may have done it. */
  onEvidence(event: Scored<'evidence'>, mayLearn: boolean): void {
    const page = pageStateOf(event);
    // Content that was still on its way when the first look was taken is news, not noise.
    const isQuiet = page.network?.requests === this.#page?.network?.requests;
    if (event.callId === undefined && this.#page && isQuiet && mayLearn)
      this.#noise = learnVolatile(this.#noise, this.#page, page);
    if (event.callId !== undefined) this.#before = this.#page;
    this.#page = page;
  }

  /** The verdict closes a step; undefined for looks that belong to none. */
  onVerdict(event: Scored<'contract_eval'>, attempt: AttemptState): Reward | undefined {
    const leaves = event.evidence ? tallyLeaves(event.evidence).holding : undefined;
    const reward = event.phase === 'step' ? this.#reward(event, leaves, attempt) : undefined;
    this.#leavesHeld = leaves ?? this.#leavesHeld;
    return reward;
  }

  #reward(
    event: Scored<'contract_eval'>,
    leaves: number | undefined,
    { heldBefore, target }: AttemptState,
  ): Reward | undefined {
    const call = this.#call;
    const result = this.#result;
    if (!call || !result) return undefined;
    const args = isRecord(call.arguments) ? call.arguments : {};
    const state = this.#page ? stateFingerprint(this.#page, this.#noise) : undefined;
    const { isError, errorKind, digest } = result;
    const reward = score({
      tool: {
        name: call.tool,
        observes: call.observes,
        isError,
        errorKind,
        resultDigest: digest,
        itemsExtracted: result.itemsExtracted,
      },
      previous: this.#before,
      current: this.#page,
      ...(isProgress(this.#progress) ? { progress: this.#progress } : {}),
      contract: { verdict: event.verdict, holding: leaves, heldLeavesBefore: this.#leavesHeld, heldBefore },
      recent: this.#history.recent(call.tool, args, state),
      target,
      destructive: call.destructive,
      gated: call.gated,
      volatile: this.#noise,
    });
    this.#history.add({ tool: call.tool, args, isError, errorKind, digest, state });
    return reward;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isProgress(status: string | undefined): status is 'progressing' | 'stalling' | 'stuck' {
  return status === 'progressing' || status === 'stalling' || status === 'stuck';
}
