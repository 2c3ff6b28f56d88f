/** All metrics of one episode, computed from its events alone. */
import type { EpisodeStatus, MetricEvent } from './events.ts';
import { noProgressEpisodes } from './no-progress.ts';
import { isAgentOutcome, type OutcomeClass, outcomeClass } from './outcome.ts';
import { type Recovery, recoveryOf } from './recovery.ts';
import { type Trace, traceOf } from './trace.ts';
import { type Wandering, wanderingOf } from './wandering.ts';

export interface EpisodeMetrics {
  /** Moves of the agent: calls, or the calls of one action together. */
  steps: number;
  /** Calls made by the agent and the harness. */
  toolCalls: number;
  /** Errors returned by the tool server. */
  errors: number;
  durationMs: number;
  noProgressEpisodes: number;
  firstTool: string | null;
  /** Null if the task expects no particular tool, or there was no call. */
  firstToolAsExpected: boolean | null;
  wandering: Wandering;
  recovery: Recovery;
  /** Null if no reward was recorded. */
  reward: { sum: number; min: number; last: number } | null;
  /** Null if the episode did not end (an incomplete journal). */
  outcome: { status: EpisodeStatus; class: OutcomeClass; agentDecided: boolean } | null;
}

export interface EpisodeMetricsOptions {
  /** Length of a path known to succeed. */
  oracleSteps?: number | undefined;
  expectedFirstTool?: string | undefined;
}

/**
 * Folds the events of one episode, in journal order. Pure, and linear except for the search for loops.
 *
 * @example
 * const metrics = episodeMetrics([
 *   { seq: 0, time: 0, type: 'reset' },
 *   { seq: 1, time: 10, type: 'tool_call', tool: 'read_page', observes: true },
 *   { seq: 2, time: 20, type: 'tool_result' },
 *   { seq: 3, time: 30, type: 'stop', status: 'failed' },
 * ]);
 * metrics.steps; // => 1
 * metrics.firstTool; // => 'read_page'
 * metrics.outcome; // => { status: 'failed', class: 'failed', agentDecided: true }
 */
export function episodeMetrics(events: Iterable<MetricEvent>, options: EpisodeMetricsOptions = {}): EpisodeMetrics {
  const trace = traceOf(events);
  const firstTool = trace.steps[0]?.tool ?? null;
  const expected = options.expectedFirstTool;
  return {
    steps: trace.steps.length,
    toolCalls: trace.toolCalls,
    errors: trace.errors,
    durationMs: trace.durationMs,
    noProgressEpisodes: noProgressEpisodes(trace),
    firstTool,
    firstToolAsExpected: expected === undefined || firstTool === null ? null : firstTool === expected,
    wandering: wanderingOf(trace, options.oracleSteps),
    recovery: recoveryOf(trace.steps),
    reward: rewardOf(trace),
    outcome: outcomeOf(trace),
  };
}

function rewardOf({ steps, rewardSum: sum, finalScore }: Trace): EpisodeMetrics['reward'] {
  const scores = [...steps.map(({ score }) => score), finalScore].filter((score) => score !== undefined);
  const last = scores.at(-1);
  if (last === undefined || sum === undefined) return null;
  // Rounded, because binary rounding errors of the sum depend on the order of addition.
  return { sum: Math.round(sum * 10_000) / 10_000, min: Math.min(...scores), last };
}

function outcomeOf({ stop, resetFailed }: Trace): EpisodeMetrics['outcome'] {
  if (stop === undefined) return null;
  const outcome = outcomeClass(stop.status, resetFailed ? 'reset' : stop.cause);
  return { status: stop.status, class: outcome, agentDecided: isAgentOutcome(outcome) };
}
