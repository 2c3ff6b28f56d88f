/**
 * The reward of each step, from events alone: the live attempt feeds it what it journals, and `rescore` feeds it the journal.
 * It is a fold in journal order, so that both give the same, however the calls of several lanes were interleaved.
 */
import type { Reward } from '../reward/index.ts';
import { laneOf } from './events.ts';
import { LaneScorer, type Scored } from './lane-scorer.ts';
import type { EvidenceBody } from './page-state.ts';
import { Targets } from './targets.ts';

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
    const lane = this.#lane(event);
    const hasOpenElsewhere = [...this.#lanes.values()].some((other) => other !== lane && other.open.size > 0);
    lane.scorer.onEvidence(event, !lane.isDisturbed && !hasOpenElsewhere);
    lane.isDisturbed = hasOpenElsewhere;
  }

  /** The verdict closes a step; undefined for looks that belong to none. */
  onVerdict(event: Scored<'contract_eval'>): Reward | undefined {
    const target = this.#targets.onVerdict(event);
    const reward = this.#lane(event).scorer.onVerdict(event, { heldBefore: this.#held, target });
    this.#held ||= event.verdict === 'pass';
    return reward;
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
