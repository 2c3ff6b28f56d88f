/** The agent's steps, each with what became of it. A fold of the journal. */
import { type EventOf, isStep, type JournalEvent, laneOf, MAIN_LANE } from '../../events/index.ts';
import { actionOfCall } from '../../tools/index.ts';

/**
 * `passed`: the contract held after it. `ok`: it was answered, and more is not known or nothing is wrong. `no_progress`: nothing came of it,
 * by the reward. `blocked`: the page stood in the way (a sign-in, a challenge). `error`: the server answered with an error. `refused`: the
 * harness did not send it, because the task guards it. `aborted`: the attempt ended before it was answered.
 */
export type StepStatus = 'passed' | 'ok' | 'no_progress' | 'blocked' | 'error' | 'refused' | 'aborted';

export interface TrajectoryStep {
  /** From 1, as in the journal. */
  readonly step: number;
  readonly tool: string;
  /** The canonical action that the call is; undefined where it is none, or a further call of the same action. */
  readonly action: string | undefined;
  readonly lane: string;
  /** Recovery search made it instead of the agent's own call. */
  readonly isRecovered: boolean;
  status: StepStatus;
  errorKind?: string | undefined;
}

export function stepsOf(events: readonly JournalEvent[]): TrajectoryStep[] {
  const steps: TrajectoryStep[] = [];
  const byCall = new Map<string, TrajectoryStep>();
  const actions = new Map<string, RenderedAction>();
  for (const event of events) {
    if (event.type === 'tool_call') {
      const lane = laneOf(event);
      const moved = event.continues && steps.findLast((each) => each.lane === lane && each.step === event.step);
      // What becomes of the last call of a move becomes of the move.
      if (moved) byCall.set(event.callId, moved);
      if (!isStep(event)) continue;
      const step: TrajectoryStep = {
        step: event.step,
        tool: event.tool,
        action: actionOf(event, lane, actions),
        lane,
        isRecovered: event.recovered === true,
        status: 'aborted',
      };
      steps.push(step);
      byCall.set(event.callId, step);
      continue;
    }
    const step = 'callId' in event && event.callId !== undefined ? byCall.get(event.callId) : undefined;
    if (step) follow(step, event);
  }
  return steps;
}

/** In journal order: the result comes first, then the verdict on the page, then the reward. */
function follow(step: TrajectoryStep, event: JournalEvent): void {
  if (event.type === 'tool_result' && event.aborted !== true) {
    step.status = event.errorKind === 'gate_refused' ? 'refused' : event.isError ? 'error' : 'ok';
    step.errorKind = event.errorKind;
  } else if (event.type === 'contract_eval' && event.verdict === 'pass' && step.status === 'ok') step.status = 'passed';
  else if (event.type === 'reward' && (step.status === 'ok' || (event.amended && step.status === 'no_progress'))) {
    step.status = 'ok';
    if (event.classification === 'no_progress' || event.classification === 'blocked')
      step.status = event.classification;
  }
}

interface RenderedAction {
  canonical: string;
  firstTool: string;
}

/**
 * A transcript's action may be several calls; it counts once, with its first call. The same action again begins with the same tool again, which is
 * how two in a row are told from one.
 */
function actionOf(
  { tool, arguments: args, canonical }: EventOf<'tool_call'>,
  lane: string,
  actions: Map<string, RenderedAction>,
): string | undefined {
  if (canonical === undefined) {
    actions.delete(lane);
    return actionOfCall(tool, args);
  }
  const text = JSON.stringify(canonical);
  const before = actions.get(lane);
  if (before && before.canonical === text && before.firstTool !== tool) return undefined;
  actions.set(lane, { canonical: text, firstTool: tool });
  const { action } = Object(canonical);
  return typeof action === 'string' ? action : undefined;
}

/** A step as the grade shows it. */
export function describeStep({ step, tool, action, lane, isRecovered, status, errorKind }: TrajectoryStep) {
  return {
    step,
    tool: tool.slice(0, 100),
    ...(action === undefined ? {} : { action: action.slice(0, 100) }),
    ...(lane === MAIN_LANE ? {} : { lane: lane.slice(0, 100) }),
    ...(isRecovered ? { madeBy: 'recovery search' } : {}),
    status,
    ...(errorKind === undefined ? {} : { errorKind: errorKind.slice(0, 100) }),
  };
}
