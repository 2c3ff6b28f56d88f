/** The sum of an episode, as it stands after each verdict. A fold in journal order, over all lanes. */
import { tallyLeaves } from '../contracts/index.ts';
import { EPISODE_START, type EpisodeState, episodeSum, penaltyOf, type Reward } from '../reward/index.ts';
import { type EventOf, laneOf, type NewEvent } from './events.ts';

export class SumFold {
  #state: EpisodeState = EPISODE_START;
  /** Lanes on whose page the contract holds, by its newest verdict. */
  readonly #holding = new Set<string>();
  #leavesAtStart: number | undefined;
  #best: number | undefined;

  /** The most leaves that held at any look so far. */
  get bestLeaves(): number | undefined {
    return this.#best;
  }

  /** What this verdict, and the step that it closes, add to the sum. */
  add(event: NewEvent<'contract_eval'> | EventOf<'contract_eval'>, step: Reward | undefined): number {
    const before = episodeSum(this.#state);
    this.#verdict(event);
    const { progress, penalties, isForfeited } = this.#state;
    this.#state = {
      // What holds before the first step is not the agent's doing.
      holds: event.phase === 'start' ? false : this.#holding.size > 0,
      progress: Math.max(progress, this.#progress(event)),
      penalties: penalties + (step ? penaltyOf(step) : 0),
      isForfeited: isForfeited || step?.classification === 'destructive_blocked',
    };
    return Math.round((episodeSum(this.#state) - before) * 1e6) / 1e6;
  }

  /** What it adds that a step's reward is replaced by another. */
  amend(reward: Reward, by: Reward): number {
    const before = episodeSum(this.#state);
    const penalties = this.#state.penalties - penaltyOf(reward) + penaltyOf(by);
    this.#state = { ...this.#state, penalties: Math.max(0, penalties) };
    return Math.round((episodeSum(this.#state) - before) * 1e6) / 1e6;
  }

  /** An inconclusive verdict says nothing of the page, so what was known before it stays known. */
  #verdict(event: NewEvent<'contract_eval'> | EventOf<'contract_eval'>): void {
    if (event.verdict === 'pass') this.#holding.add(laneOf(event));
    else if (event.verdict === 'fail') this.#holding.delete(laneOf(event));
  }

  /** The share of the leaves that did not hold at the start. */
  #progress({ phase, evidence }: NewEvent<'contract_eval'> | EventOf<'contract_eval'>): number {
    if (!evidence) return 0;
    const { holding, total } = tallyLeaves(evidence);
    if (phase === 'start') this.#leavesAtStart ??= holding;
    this.#best = Math.max(this.#best ?? 0, holding);
    const atStart = this.#leavesAtStart ?? 0;
    return total > atStart ? (holding - atStart) / (total - atStart) : 0;
  }
}
