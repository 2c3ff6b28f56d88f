/**
 * The reward of each step, from events alone: the live attempt feeds it what it journals, and `rescore` feeds it the journal.
 * It is a fold in journal order, so that both give the same, however the calls of several lanes were interleaved.
 */

import { tallyLeaves } from '../contracts/index.ts';
import { type Reward, score } from '../reward/index.ts';
import { laneOf } from './events.ts';
import { LaneScorer, type Scored } from './lane-scorer.ts';
import type { EvidenceBody } from './page-state.ts';
import { SumFold } from './sum-fold.ts';
import { Targets } from './targets.ts';

/** The reward of a step or of the last look, as the journal has it. */
export interface ScoredStep extends Reward {
  /** What it adds to the sum of the episode. */
  contribution: number;
  final?: true;
  /** It replaces the reward that the step had. */
  amended?: true;
}

interface Lane {
  scorer: LaneScorer;
  /** Calls that have no result yet. */
  open: Set<string>;
  /** Another lane had a call open at some time since this lane's last evidence: what changed here may be that call's effect. */
  isDisturbed: boolean;
}

export class AttemptScorer {
  readonly #lanes = new Map<string, Lane>();
  /** The contract has held at some time, on whichever lane's page. */
  #held = false;
  readonly #targets: Targets;
  readonly #sum = new SumFold();
  #hasActed = false;

  /** The task, as the `start` event has it. */
  constructor(task: unknown) {
    this.#targets = new Targets(task);
  }

  /** Names the state that an evidence shows, with what is known to be noise left out. */
  fingerprint(evidence: EvidenceBody | Scored<'evidence'>): string | undefined {
    return this.#lane(evidence).scorer.fingerprint(evidence);
  }

  /** Every call: a look of the agent or a call of the harness is not scored, but disturbs other lanes as much as a step does. */
  onCall(event: Scored<'tool_call'>, isScored: boolean): void {
    const lane = this.#lane(event);
    lane.open.add(event.callId);
    for (const other of this.#lanes.values()) if (other !== lane) other.isDisturbed = true;
    this.#hasActed ||= isScored;
    if (isScored) lane.scorer.onCall(event);
  }

  onResult(event: Scored<'tool_result'>, isScored: boolean): void {
    const lane = this.#lane(event);
    lane.open.delete(event.callId);
    if (isScored) lane.scorer.onResult(event);
  }

  onProgress(event: Scored<'progress'>): void {
    this.#lane(event).scorer.onProgress(event);
  }

  onEvidence(event: Scored<'evidence'>): void {
    // A task that begins on a sign-in page expects the agent to sign in. One that was redirected there does not.
    if (!this.#hasActed && event.features?.passwordForm === true && event.redirected !== true)
      this.#targets.expectLogin();
    const lane = this.#lane(event);
    const hasOpenElsewhere = [...this.#lanes.values()].some((other) => other !== lane && other.open.size > 0);
    lane.scorer.onEvidence(event, !lane.isDisturbed && !hasOpenElsewhere);
    lane.isDisturbed = hasOpenElsewhere;
  }

  /** The verdict closes a step. The last look is scored where it changes what the episode sums to; other looks that belong to no step are not. */
  onVerdict(event: Scored<'contract_eval'>): ScoredStep | undefined {
    const before = { heldBefore: this.#held, bestLeaves: this.#sum.bestLeaves };
    const target = this.#targets.onVerdict(event);
    const step = this.#lane(event).scorer.onVerdict(event, { ...before, target });
    this.#held ||= event.verdict === 'pass';
    const contribution = this.#sum.add(event, step);
    if (step) return { ...step, contribution };
    if (event.phase !== 'final' || contribution === 0) return undefined;
    return { ...finalReward(event, before), contribution, final: true };
  }

  /** The picture of a step, which comes after its reward: undefined where it changes nothing of it. */
  onPicture(event: Scored<'screenshot'>): ScoredStep | undefined {
    const changed = this.#lane(event).scorer.onPicture(event);
    if (!changed) return undefined;
    return { ...changed.after, contribution: this.#sum.amend(changed.before, changed.after), amended: true };
  }

  #lane(event: { executorId?: string | undefined }): Lane {
    const id = laneOf(event);
    let lane = this.#lanes.get(id);
    if (!lane) {
      lane = { scorer: new LaneScorer(), open: new Set(), isDisturbed: false };
      this.#lanes.set(id, lane);
    }
    return lane;
  }
}

/** The last look, as a step that only observes: what came after the last step, or was lost after it. */
function finalReward(
  { verdict, evidence }: Scored<'contract_eval'>,
  { heldBefore, bestLeaves }: { heldBefore: boolean; bestLeaves: number | undefined },
): Reward {
  const holding = evidence ? tallyLeaves(evidence).holding : undefined;
  return score({
    tool: { name: 'final look', observes: true, isError: false },
    contract: { verdict, holding, heldLeavesBefore: bestLeaves, heldBefore },
  });
}
