/** Failures and recoveries: from the first failure to the next progress. */
import { percentile } from './percentile.ts';
import type { Step } from './trace.ts';

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
  const spells: Spell[] = [];
  let failing: Step | undefined;
  for (const step of steps) {
    if (failing === undefined) {
      if (isFailure(step)) failing = step;
    } else if (isProgress(step)) {
      spells.push({
        start: failing.index,
        end: step.index,
        steps: step.index - failing.index,
        ms: step.time - failing.time,
      });
      failing = undefined;
    }
  }
  if (failing !== undefined) spells.push({ start: failing.index, end: null, steps: null, ms: null });
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
