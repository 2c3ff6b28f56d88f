/** The six axes of performance, 0 to 100 each, and those that are computed from the journal without a model. */
import type { EpisodeTaskSpec } from '../../cases/index.ts';
import { type EventOf, isStep, type JournalEvent, metricEvents, VerdictFold } from '../../events/index.ts';
import { type EpisodeMetrics, episodeMetrics } from '../../metrics/index.ts';

/** Weights of BrowserOS's performance grader. */
export const AXES = {
  completion: 0.3,
  reasoning: 0.2,
  efficiency: 0.2,
  speed: 0.1,
  recovery: 0.1,
  autonomy: 0.1,
} as const;
export type Axis = keyof typeof AXES;

export interface ComputedAxis {
  readonly value: number;
  /** How it came about, as a sentence. */
  readonly by: string;
}

/** What can't be computed is absent, and is asked. */
export type ComputedAxes = Partial<Record<Axis, ComputedAxis>>;

export function computedAxes(
  events: readonly JournalEvent[],
  task: Pick<EpisodeTaskSpec, 'maxDurationMs'>,
  oracleSteps?: number,
): ComputedAxes {
  const metrics = episodeMetrics(metricEvents(events), { oracleSteps });
  const stop = events.findLast((event) => event.type === 'stop');
  const calls = events.filter((event) => event.type === 'tool_call');
  const completion = completionOf(events);
  return {
    ...(completion ? { completion } : {}),
    efficiency: efficiencyOf(metrics, oracleSteps),
    speed: speedOf(metrics, task.maxDurationMs),
    recovery: recoveryOf(metrics),
    autonomy: autonomyOf(calls, stop),
  };
}

/** Absent where the contract was not evaluated, or could not tell. */
function completionOf(events: readonly JournalEvent[]): ComputedAxis | undefined {
  const verdicts = new VerdictFold();
  for (const event of events) if (event.type === 'contract_eval') verdicts.add(event);
  const verdict = verdicts.last?.verdict;
  if (verdict === undefined || verdict === 'inconclusive') return undefined;
  return verdict === 'pass'
    ? { value: 100, by: 'The success contract holds.' }
    : { value: 0, by: 'The success contract does not hold.' };
}

function efficiencyOf({ steps, errors, wandering }: EpisodeMetrics, oracleSteps: number | undefined): ComputedAxis {
  if (steps === 0) return { value: 0, by: 'The agent made no step.' };
  if (oracleSteps !== undefined)
    return {
      value: percent(oracleSteps / Math.max(oracleSteps, steps)),
      by: `${steps} steps, where a known solution takes ${oracleSteps}.`,
    };
  const wasted = Math.min(steps, wandering.loopedSteps + wandering.actionsWithoutEffect + errors);
  return {
    value: percent(1 - wasted / steps),
    by: `${wasted} of ${steps} steps were repeated in a loop, had no effect or failed.`,
  };
}

function speedOf({ durationMs }: EpisodeMetrics, limitMs: number): ComputedAxis {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return {
    value: percent(1 - Math.min(1, durationMs / limitMs)),
    by: `${seconds(durationMs)} of the ${seconds(limitMs)} that the task allows.`,
  };
}

function recoveryOf({ recovery: { failures, recovered } }: EpisodeMetrics): ComputedAxis {
  if (failures === 0) return { value: 100, by: 'Nothing failed on the way.' };
  return { value: percent(recovered / failures), by: `The agent recovered from ${recovered} of ${failures} failures.` };
}

/** Who made the steps, and who ended the attempt: the agent, or the harness in its place. */
function autonomyOf(calls: readonly EventOf<'tool_call'>[], stop: EventOf<'stop'> | undefined): ComputedAxis {
  const ended = stop?.cause === 'guard' ? 'guard' : stop?.status;
  if (ended === 'max_steps' || ended === 'timeout' || ended === 'guard')
    return { value: 0, by: 'The harness had to end the attempt.' };
  if (stop?.claimed === 'gave_up') return { value: 0, by: 'The agent gave up.' };
  const steps = calls.filter(isStep);
  const helped = steps.filter(({ recovered }) => recovered).length;
  return {
    value: steps.length === 0 ? 100 : percent(1 - helped / steps.length),
    by:
      helped === 0
        ? 'The agent ended by itself, without help.'
        : `The harness made ${helped} of ${steps.length} steps.`,
  };
}

function percent(share: number): number {
  return Math.round(share * 1000) / 10;
}
