/** Events into steps: everything from one call of a lane to its next belongs to that step. One pass. */
import type { EpisodeStatus, MetricEvent, StopCause } from './events.ts';
import { moveOf } from './move.ts';

export interface Step {
  /** From 0, over all lanes. */
  index: number;
  /** Steps of different lanes are never taken for neighbours. */
  lane: string;
  tool: string;
  /** The canonical action, or the tool. */
  action: string;
  /** The action with its arguments; the order of fields does not matter. */
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
  /** The states that its lanes started in, `main`'s first. */
  startStates: string[];
  startVerdict: Step['verdict'];
  /** Calls made by the agent and the harness. */
  toolCalls: number;
  /** Results with isError, of agent and harness. */
  errors: number;
  hasProgressStatus: boolean;
  resetFailed: boolean;
  /** What the rewards add to the sum of the episode; undefined without rewards. */
  rewardSum: number | undefined;
  /** The score of the last look, where it has one. */
  finalScore: number | undefined;
  stop: { status: EpisodeStatus; cause: StopCause | undefined } | undefined;
  durationMs: number;
}

export function traceOf(events: Iterable<MetricEvent>): Trace {
  const trace: Trace = {
    steps: [],
    startStates: [],
    startVerdict: undefined,
    toolCalls: 0,
    errors: 0,
    hasProgressStatus: false,
    resetFailed: false,
    rewardSum: undefined,
    finalScore: undefined,
    stop: undefined,
    durationMs: 0,
  };
  /** The newest step of each lane. */
  const current = new Map<string, Step>();
  const startStates = new Map<string, string | undefined>();
  let first: number | undefined;
  for (const event of events) {
    first ??= event.time;
    trace.durationMs = event.time - first;
    const lane = ('executorId' in event ? event.executorId : undefined) ?? 'main';
    const step = current.get(lane);
    switch (event.type) {
      case 'reset':
        trace.resetFailed ||= event.ok === false;
        trace.hasProgressStatus ||= event.hasProgressStatus === true;
        break;
      case 'tool_call': {
        trace.toolCalls++;
        if (event.by === 'harness' || event.look === true || event.continues === true) break;
        const move = moveOf(event);
        const next: Step = {
          index: trace.steps.length,
          lane,
          tool: event.tool,
          action: move.action,
          call: move.key,
          observes: move.observes,
          isError: false,
          url: undefined,
          stateBefore: step === undefined ? startStates.get(lane) : step.state,
          state: undefined,
          verdict: undefined,
          score: undefined,
          classification: undefined,
          progress: undefined,
          time: event.time,
        };
        trace.steps.push(next);
        current.set(lane, next);
        break;
      }
      case 'tool_result':
        if (event.isError === true) trace.errors++;
        if (step === undefined) break;
        step.isError ||= event.isError === true;
        step.time = event.time;
        break;
      case 'evidence':
        if (step === undefined) startStates.set(lane, event.state);
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
        trace.rewardSum = (trace.rewardSum ?? 0) + (event.contribution ?? event.score);
        if (event.final === true) trace.finalScore = event.score;
        if (step === undefined || event.final === true) break;
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
  trace.startStates = [...startStates.values()].filter((state) => state !== undefined);
  return trace;
}

/** The steps of each lane, in order. */
export function byLane(steps: readonly Step[]): Step[][] {
  return [...Map.groupBy(steps, ({ lane }) => lane).values()];
}

/** A step that asked twice counts once, by the worse answer. */
function worse(known: string | undefined, status: string): string {
  return known === 'stuck' || (known === 'stalling' && status !== 'stuck') ? known : status;
}
