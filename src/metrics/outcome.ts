/** Outcome classes in addition to the six-value status, and pass rates with their denominators. */
import type { Fault } from '../errors/index.ts';
import type { EpisodeStatus, StopCause } from './events.ts';
import { type Interval, wilsonInterval } from './wilson.ts';

/** Outcomes that the agent caused. */
export const AGENT_OUTCOMES = ['passed', 'failed', 'max_steps', 'timeout', 'guard_stop'] as const;
/** What was not the agent's fault. */
export const FAULT_OUTCOMES = [
  'env_error',
  'blocked_by_site',
  'server_error',
  'adapter_error',
  'grader_error',
] as const;
export type OutcomeClass = (typeof AGENT_OUTCOMES)[number] | (typeof FAULT_OUTCOMES)[number];

/** A refused guarded action has no fault, and neither has a site that keeps programs out: nothing broke. */
const FAULT_OF_CAUSE: Readonly<Record<Exclude<StopCause, 'guard' | 'site'>, Fault>> = {
  browser: 'environment',
  reset: 'environment',
  fixture: 'environment',
  server: 'server',
  transport: 'server',
  adapter: 'agent',
  grader: 'grader',
};

/** A bug of the harness and bad input are never the agent's failure. */
const OUTCOME_OF_FAULT: Readonly<Record<Fault, OutcomeClass>> = {
  usage: 'env_error',
  environment: 'env_error',
  server: 'server_error',
  agent: 'adapter_error',
  grader: 'grader_error',
  internal: 'env_error',
};

/**
 * The class of an attempt that an error ended, by the fault of the error's code.
 *
 * @example
 * outcomeOfFault('server'); // => 'server_error'
 */
export function outcomeOfFault(fault: Fault): OutcomeClass {
  return OUTCOME_OF_FAULT[fault];
}

/**
 * The class of an ended episode. A cause takes precedence over the status: a fault elsewhere is never the agent's failure.
 *
 * @example
 * outcomeClass('max_steps'); // => 'max_steps'
 * outcomeClass('tool_error', 'browser'); // => 'env_error'
 */
export function outcomeClass(status: EpisodeStatus, cause?: StopCause): OutcomeClass {
  if (cause === 'guard') return 'guard_stop';
  if (cause === 'site') return 'blocked_by_site';
  if (cause !== undefined) return outcomeOfFault(FAULT_OF_CAUSE[cause]);
  switch (status) {
    // A lost server is the usual reason; a lost browser has its own cause.
    case 'tool_error':
      return 'server_error';
    // A question: answer-outcome.ts knows more, from its error's code and from its grade.
    case 'error':
      return 'adapter_error';
    case 'answered':
      return 'grader_error';
    default:
      return status;
  }
}

/** Whether the agent alone caused this outcome. */
export function isAgentOutcome(outcome: OutcomeClass): boolean {
  return (AGENT_OUTCOMES as readonly string[]).includes(outcome);
}

export interface Rate {
  passed: number;
  of: number;
  /** Null if nothing is counted. */
  rate: number | null;
  interval: Interval;
}

/**
 * The strict rate counts every episode that was planned, the valid-only rate only those that the agent decided. `planned` is more than there are
 * outcomes where a run was stopped.
 *
 * @example
 * const rates = passRates(['passed', 'failed', 'env_error']);
 * rates.strict.of; // => 3
 * rates.validOnly.rate; // => 0.5
 */
export function passRates(
  outcomes: readonly OutcomeClass[],
  planned: number = outcomes.length,
): { strict: Rate; validOnly: Rate } {
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  return { strict: rateOf(passed, planned), validOnly: rateOf(passed, outcomes.filter(isAgentOutcome).length) };
}

function rateOf(passed: number, of: number): Rate {
  return { passed, of, rate: of === 0 ? null : passed / of, interval: wilsonInterval(passed, of) };
}
