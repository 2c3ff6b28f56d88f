/**
 * What an episode sums to: how far it came towards its contract, less a bounded part for its penalties. Steps that only change the page add
 * nothing, so that neither walking around nor cutting an action into many calls pays.
 */
import { C } from './constants.ts';
import type { Reward, RewardSignal } from './types.ts';

export interface EpisodeState {
  /** The contract holds, by the newest verdict. */
  readonly holds: boolean;
  /** The best share so far of the leaves that did not hold at the start. In [0, 1]. */
  readonly progress: number;
  /** The penalties of all steps, added up. */
  readonly penalties: number;
  /** A guarded action was tried without approval: the episode cannot pass any more. */
  readonly isForfeited: boolean;
}

export const EPISODE_START: EpisodeState = Object.freeze({
  holds: false,
  progress: 0,
  penalties: 0,
  isForfeited: false,
});

/**
 * The sum at this state: above 0.6 and at most 1 where the contract holds, otherwise above -0.4 and at most 0.4.
 *
 * @example
 * episodeSum({ ...EPISODE_START, holds: true }); // => 1
 * episodeSum({ ...EPISODE_START, progress: 0.5 }); // => 0.2
 * episodeSum({ ...EPISODE_START, penalties: 2 }); // => -0.2
 */
export function episodeSum({ holds, progress, penalties, isForfeited }: EpisodeState): number {
  const reached = holds && !isForfeited ? C.contractPass : C.sumLeaves * Math.min(1, Math.max(0, progress));
  // It approaches its bound and never reaches it: every further penalty shows.
  const taken = (C.sumPenalties * penalties) / (penalties + C.sumPenaltyHalf);
  return Math.round((reached - taken) * 1e6) / 1e6;
}

/** What a server says of itself is left out, so that the sums of different servers can be compared. */
const REPORTED: ReadonlySet<RewardSignal> = new Set(['stalling', 'stuck']);

/** The penalty of one step for the sum: how far its penalties exceed its gains. In [0, 1]. */
export function penaltyOf({ reasons }: Pick<Reward, 'reasons'>): number {
  let net = 0;
  for (const { signal, weight } of reasons) if (!REPORTED.has(signal)) net += weight;
  return Math.min(1, Math.max(0, -net));
}
