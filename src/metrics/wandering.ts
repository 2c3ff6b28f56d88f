/** How direct the path was. A number that the events do not show is null, never zero. */
import { findLoops, type Loop } from './loops.ts';
import { noProgressRuns } from './no-progress.ts';
import { byLane, type Step, type Trace } from './trace.ts';

export interface Wandering {
  /** Maximal runs of steps without progress: see `noProgressEpisodes`. */
  noProgressRuns: number;
  /** How many loops there were. */
  repeatedLoops: number;
  loops: Loop[];
  /** Steps in the second and later rounds of loops. */
  loopedSteps: number;
  /** The share of moves to another state that led to one visited before; null without moves. */
  revisitedStateRatio: number | null;
  /** Successful actions that did not change the state. */
  actionsWithoutEffect: number;
  /** Runs of three or more steps that only observe; and below, the longest run of any length. */
  observeOnlyStreaks: number;
  longestObserveOnlyStreak: number;
  /** Steps whose reward was not positive; null if no reward was recorded. */
  stepsWithoutReward: number | null;
  /** Steps taken after the contract first passed. */
  stepsAfterContractHeld: number;
  /** The oracle's length divided by the steps taken, at most 1; 0 if the episode did not pass; null without an oracle. */
  pathEfficiency: number | null;
  /** Steps beyond the oracle's length; null without an oracle. */
  wastedSteps: number | null;
}

const STREAK = 3;

export function wanderingOf(trace: Trace, oracleSteps: number | undefined): Wandering {
  const { steps } = trace;
  const lanes = byLane(steps);
  const loops = lanes.flatMap(findLoops).sort((a, b) => a.start - b.start);
  const streaks = lanes.flatMap(observeStreaks);
  return {
    noProgressRuns: noProgressRuns(trace),
    repeatedLoops: loops.length,
    loops,
    loopedSteps: loops.reduce((sum, { length, rounds }) => sum + length * (rounds - 1), 0),
    revisitedStateRatio: revisited(trace),
    actionsWithoutEffect: steps.filter(hadNoEffect).length,
    observeOnlyStreaks: streaks.filter((length) => length >= STREAK).length,
    longestObserveOnlyStreak: streaks.reduce((longest, length) => Math.max(longest, length), 0),
    stepsWithoutReward: withoutReward(steps),
    stepsAfterContractHeld: afterHeld(trace),
    pathEfficiency: oracleSteps === undefined ? null : efficiency(trace, oracleSteps),
    wastedSteps: oracleSteps === undefined ? null : Math.max(0, steps.length - oracleSteps),
  };
}

function revisited(trace: Trace): number | null {
  const seen = new Set(trace.startStates);
  let moves = 0;
  let back = 0;
  for (const { state, stateBefore } of trace.steps) {
    if (state === undefined) continue;
    if (stateBefore !== undefined && state !== stateBefore) {
      moves++;
      if (seen.has(state)) back++;
    }
    seen.add(state);
  }
  return moves === 0 ? null : back / moves;
}

function hadNoEffect({ observes, isError, state, stateBefore }: Step): boolean {
  return !observes && !isError && state !== undefined && state === stateBefore;
}

function observeStreaks(steps: readonly Step[]): number[] {
  const streaks: number[] = [];
  let length = 0;
  for (const { observes } of steps) {
    if (observes) length++;
    else if (length > 0) {
      streaks.push(length);
      length = 0;
    }
  }
  if (length > 0) streaks.push(length);
  return streaks;
}

function withoutReward(steps: readonly Step[]): number | null {
  const scored = steps.filter(({ score }) => score !== undefined);
  return scored.length === 0 ? null : scored.filter(({ score }) => score !== undefined && score <= 0).length;
}

function afterHeld({ steps, startVerdict }: Trace): number {
  if (startVerdict === 'pass') return steps.length;
  const held = steps.findIndex(({ verdict }) => verdict === 'pass');
  return held < 0 ? 0 : steps.length - held - 1;
}

/** Success weighted by path length, for one episode (Anderson et al. 2018, arXiv:1807.06757). */
function efficiency({ steps, stop }: Trace, oracleSteps: number): number {
  if (stop?.status !== 'passed') return 0;
  return steps.length === 0 ? 1 : oracleSteps / Math.max(oracleSteps, steps.length);
}
