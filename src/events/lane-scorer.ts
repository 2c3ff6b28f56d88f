/** The rewards of one lane: its page, its noise, its calls and the leaves of the contract that held on its page. */
import { tallyLeaves } from '../contracts/index.ts';
import { moveOf } from '../metrics/index.ts';
import {
  NEW_NOISE_WATCH,
  type NoiseWatch,
  type PageState,
  type Reward,
  type RewardInput,
  score,
  stateFingerprint,
  type TargetHints,
  type VolatileRegions,
  watchNoise,
} from '../reward/index.ts';
import { CallHistory, namesOf } from './call-history.ts';
import type { EventOf, NewEvent } from './events.ts';
import { type EvidenceBody, pageStateOf } from './page-state.ts';

export type Scored<T extends 'tool_call' | 'tool_result' | 'evidence' | 'contract_eval' | 'progress' | 'screenshot'> =
  | NewEvent<T>
  | EventOf<T>;

/** What the lanes of an attempt share. */
export interface AttemptState {
  /** The contract has held at some time in the attempt. */
  heldBefore: boolean;
  /** The most leaves that held at any earlier look, on whichever lane's page. */
  bestLeaves: number | undefined;
  target: TargetHints;
}

export class LaneScorer {
  readonly #history = new CallHistory();
  #noise: NoiseWatch = NEW_NOISE_WATCH;
  #call: Scored<'tool_call'> | undefined;
  #result: Scored<'tool_result'> | undefined;
  #progress: string | undefined;
  #before: PageState | undefined;
  #page: PageState | undefined;
  /** How many leaves held at the last look, and at both of the last two. */
  #leavesHeld: number | undefined;
  #leavesKept: number | undefined;
  /** The last step with what it was scored from, and the newest picture of the page. */
  #scored: { callId: string; input: RewardInput; reward: Reward } | undefined;
  #picture: string | undefined;
  /** The evidence that was named last: its score asks for the same name again, and a hash over all regions is most of what a score costs. */
  #named: { evidence: object; known: VolatileRegions; state: string | undefined } | undefined;
  /** The evidence that the page is of. */
  #evidence: Scored<'evidence'> | undefined;

  /** Names the state that an evidence shows, with what is known to be noise left out. */
  fingerprint(evidence: EvidenceBody | EventOf<'evidence'>): string | undefined {
    const { known } = this.#noise;
    if (this.#named?.evidence === evidence && this.#named.known === known) return this.#named.state;
    const state = stateFingerprint(pageStateOf(evidence), known);
    this.#named = { evidence, known, state };
    return state;
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

  /** After a call: the page now. Without one: the lane did not act in between, so what changes again and again is noise, unless another lane may have done it. */
  onEvidence(event: Scored<'evidence'>, mayLearn: boolean): void {
    const page = pageStateOf(event);
    // Content that was still on its way when the first look was taken is news, not noise.
    const isQuiet = page.network?.requests === this.#page?.network?.requests;
    const byAction = event.callId !== undefined;
    const { settled, watchedMs } = event;
    const look = { byAction, isSettled: settled === true, mayLearn: isQuiet && mayLearn, watchedMs };
    if (this.#page) this.#noise = watchNoise(this.#noise, this.#page, page, look);
    if (byAction) this.#before = this.#page;
    this.#page = page;
    this.#evidence = event;
  }

  /** The verdict closes a step; undefined for looks that belong to none. */
  onVerdict(event: Scored<'contract_eval'>, attempt: AttemptState): Reward | undefined {
    const leaves = event.evidence ? tallyLeaves(event.evidence).holding : undefined;
    const reward = event.phase === 'step' ? this.#reward(event, leaves, attempt) : undefined;
    if (leaves !== undefined) {
      this.#leavesKept = Math.min(leaves, this.#leavesHeld ?? leaves);
      this.#leavesHeld = leaves;
    }
    return reward;
  }

  /**
   * The picture comes after the step was scored. What an action drew on a canvas is in no digest: where the document stayed the same, the picture
   * decides whether the action had an effect. Elsewhere a picture proves nothing, because the pointer alone changes how a button looks.
   */
  onPicture({ callId, hash }: Scored<'screenshot'>): { before: Reward; after: Reward } | undefined {
    if (hash === undefined) return undefined;
    const screenshotHash = this.#picture;
    this.#picture = hash;
    const scored = this.#scored;
    if (screenshotHash === undefined || callId === undefined || scored?.callId !== callId) return undefined;
    const { input, reward } = scored;
    const { previous, current } = input;
    if (current?.features?.canvas !== true || previous?.domDigest !== current.domDigest) return undefined;
    const seen = {
      ...input,
      previous: { ...previous, screenshotHash },
      current: { ...current, screenshotHash: hash },
    };
    const after = score(seen);
    if (after.score === reward.score) return undefined;
    this.#scored = { callId, input: seen, reward: after };
    return { before: reward, after };
  }

  #reward(
    event: Scored<'contract_eval'>,
    leaves: number | undefined,
    { heldBefore, bestLeaves, target }: AttemptState,
  ): Reward | undefined {
    const call = this.#call;
    const result = this.#result;
    if (!call || !result) return undefined;
    const names = namesOf(call);
    const state = this.#evidence && this.fingerprint(this.#evidence);
    const { isError, errorKind, digest } = result;
    const input: RewardInput = {
      tool: {
        name: call.tool,
        observes: moveOf(call).observes,
        moves: movesBy(call),
        isError,
        errorKind,
        resultDigest: digest,
        itemsExtracted: result.itemsExtracted,
      },
      previous: this.#before,
      current: this.#page,
      ...(isProgress(this.#progress) ? { progress: this.#progress } : {}),
      contract: {
        verdict: event.verdict,
        holding: leaves,
        heldLeavesBefore: this.#leavesKept,
        bestLeavesBefore: bestLeaves,
        heldBefore,
      },
      recent: this.#history.recent(names, state),
      target,
      destructive: call.destructive,
      gated: call.gated,
      volatile: this.#noise.known,
    };
    const reward = score(input);
    this.#scored = { callId: call.callId, input, reward };
    this.#history.add({ names, isError, errorKind, digest, state });
    return reward;
  }
}

/** Whether a call is made to move the pointer or to scroll, by its action or by what its server calls it. */
function movesBy(call: Scored<'tool_call'>): 'pointer' | 'scroll' | undefined {
  const name = `${moveOf(call).action} ${Object(call.arguments).action}`;
  if (/hover|mouse_move/.test(name)) return 'pointer';
  return /scroll|wheel/.test(name) ? 'scroll' : undefined;
}

function isProgress(status: string | undefined): status is 'progressing' | 'stalling' | 'stuck' {
  return status === 'progressing' || status === 'stalling' || status === 'stuck';
}
