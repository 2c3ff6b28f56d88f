/** Groups events into steps, in one pass: everything from one call of the agent to the next belongs to that step. */
import { callKey } from './call-key.ts';
import type { EpisodeStatus, MetricEvent, StopCause } from './events.ts';

export interface Step {
  /** From 0. */
  index: number;
  tool: string;
  /** Tool and arguments; the order of fields does not matter. */
  call: string;
  observes: boolean;
  isError: boolean;
  /** An unknown URL or state is undefined and never counts as unchanged. */
  url: string | undefined;
  stateBefore: string | undefined;
  state: string | undefined;
  verdict: 'pass' | 'fail' | 'inconclusive' | undefined;
  score: number | undefined;
  classification: string | undefined;
  progress: string | undefined;
  /** The time of the result, or of the call if there is no result. */
  time: number;
}

export interface Trace {
  steps: Step[];
  /** The state in which the agent started. */
  startState: string | undefined;
  startVerdict: Step['verdict'];
  /** Calls made by the agent and the harness. */
  toolCalls: number;
  /** Results with isError, of agent and harness. */
  errors: number;
  hasProgressStatus: boolean;
  resetFailed: boolean;
  stop: { status: EpisodeStatus; cause: StopCause | undefined } | undefined;
  durationMs: number;
}

export function traceOf(events: Iterable<MetricEvent>): Trace {
  const trace: Trace = {
    steps: [],
    startState: undefined,
    startVerdict: undefined,
    toolCalls: 0,
    errors: 0,
    hasProgressStatus: false,
    resetFailed: false,
    stop: undefined,
    durationMs: 0,
  };
  let step: Step | undefined;
  let first: number | undefined;
  for (const event of events) {
    first ??= event.time;
    trace.durationMs = event.time - first;
    switch (event.type) {
      case 'reset':
        trace.resetFailed ||= event.ok === false;
        trace.hasProgressStatus ||= event.hasProgressStatus === true;
        break;
      case 'tool_call':
        trace.toolCalls++;
        if (event.by === 'harness') break;
        step = {
          index: trace.steps.length,
          tool: event.tool,
          call: callKey(event.tool, event.arguments),
          observes: event.observes === true,
          isError: false,
          url: undefined,
          stateBefore: step === undefined ? trace.startState : step.state,
          state: undefined,
          verdict: undefined,
          score: undefined,
          classification: undefined,
          progress: undefined,
          time: event.time,
        };
        trace.steps.push(step);
        break;
      case 'tool_result':
        if (event.isError === true) trace.errors++;
        if (step === undefined) break;
        step.isError ||= event.isError === true;
        step.time = event.time;
        break;
      case 'evidence':
        if (step === undefined) trace.startState = event.state;
        else {
          step.url = event.url;
          step.state = event.state;
        }
        break;
      case 'contract_eval':
        if (step === undefined) trace.startVerdict = event.verdict;
        else step.verdict = event.verdict;
        break;
      case 'reward':
        if (step === undefined) break;
        step.score = event.score;
        step.classification = event.classification;
        break;
      case 'progress':
        trace.hasProgressStatus = true;
        if (step !== undefined) step.progress = worse(step.progress, event.status);
        break;
      case 'stop':
        trace.stop = { status: event.status, cause: event.cause };
        break;
      default:
        break;
    }
  }
  return trace;
}

/** A step with two status reports counts once, by the worse one. */
function worse(known: string | undefined, status: string): string {
  return known === 'stuck' || (known === 'stalling' && status !== 'stuck') ? known : status;
}
