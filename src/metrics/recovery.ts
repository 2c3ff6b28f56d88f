/** Failures and recoveries: from the first failure to the next progress. */
import { percentile } from './percentile.ts';
import { byLane, type Step } from './trace.ts';

export interface Spell {
  /** Index of the failing step. */
  start: number;
  /** Index of the step that made progress again; null if there was none. */
  end: number | null;
  steps: number | null;
  ms: number | null;
}

export interface Recovery {
  /** Spells of failure. A second failure before any progress belongs to the first. */
  failures: number;
  recovered: number;
  /** Medians over the recovered spells; null if there are none. */
  latencySteps: number | null;
  latencyMs: number | null;
  spells: Spell[];
}

export function recoveryOf(steps: readonly Step[]): Recovery {
  const spells = byLane(steps)
    .flatMap(spellsOf)
    .sort((a, b) => a.start - b.start);
  const over = spells.filter(({ end }) => end !== null);
  return {
    failures: spells.length,
    recovered: over.length,
    latencySteps: percentile(
      over.map(({ steps: taken }) => taken ?? 0),
      50,
    ),
    latencyMs: percentile(
      over.map(({ ms }) => ms ?? 0),
      50,
    ),
    spells,
  };
}

/** Of one lane: another lane's progress is no way out. */
function spellsOf(steps: readonly Step[]): Spell[] {
  const spells: Spell[] = [];
  let failing: { step: Step; at: number } | undefined;
  for (const [at, step] of steps.entries()) {
    if (failing === undefined) {
      if (isFailure(step)) failing = { step, at };
    } else if (isProgress(step)) {
      const { index, time } = failing.step;
      spells.push({ start: index, end: step.index, steps: at - failing.at, ms: step.time - time });
      failing = undefined;
    }
  }
  if (failing !== undefined) spells.push({ start: failing.step.index, end: null, steps: null, ms: null });
  return spells;
}
const FAILURES = new Set(['failure', 'blocked', 'destructive_blocked']);

function isFailure({ isError, classification }: Step): boolean {
  return isError || (classification !== undefined && FAILURES.has(classification));
}

/** Decided by the reward; without one, by a passing contract or a successful action that changed the state. */
function isProgress({ isError, score, verdict, observes, state, stateBefore }: Step): boolean {
  if (verdict === 'pass') return true;
  if (score !== undefined) return score > 0;
  return !isError && !observes && state !== undefined && stateBefore !== undefined && state !== stateBefore;
}
