/** Where two trajectories of the same task part: the first step at which the agents did or met something else. */
import { type JournalEvent, laneOf } from '../events/index.ts';
import { moveOf } from '../metrics/index.ts';
import { briefOf } from './brief.ts';
import { clip } from './clip.ts';

export interface TrajectoryStep {
  /** Of the call's event: what the address of a step names. */
  seq: number;
  /** The canonical action where it is known, so that servers can be compared; otherwise the tool. */
  action: string;
  tool: string;
  /** The arguments on one line. */
  brief: string;
  isError: boolean;
  /** Of the page afterwards; null where it was not looked at. */
  url: string | null;
  /** File of the picture afterwards, relative to the attempt's folder. */
  picture: string | null;
}

export interface Trajectory {
  steps: TrajectoryStep[];
  /** How it ended, as a sentence. */
  end: string;
  /** The last picture that there is. */
  lastPicture: string | null;
}

export interface Divergence {
  /** `action`: another call; `error` and `url`: the same call with another result; `end`: one stopped; `none`: the steps are the same. */
  kind: 'action' | 'error' | 'url' | 'end' | 'none';
  /** The first step that differs, from 1; the last one where none does. */
  step: number;
  a: DivergedSide;
  b: DivergedSide;
}

export interface DivergedSide {
  /** Null where the trajectory has no such step. */
  step: TrajectoryStep | null;
  end: string;
  picture: string | null;
}

const BRIEF = 160;

/** @example firstDivergence(trajectoryOf(eventsOfA), trajectoryOf(eventsOfB)) */
export function firstDivergence(a: Trajectory, b: Trajectory): Divergence {
  const most = Math.max(a.steps.length, b.steps.length);
  for (let index = 0; index < most; index++) {
    const kind = differenceBetween(a.steps[index], b.steps[index]);
    if (kind !== undefined) return { kind, step: index + 1, a: sideOf(a, index), b: sideOf(b, index) };
  }
  return { kind: 'none', step: most, a: sideOf(a, most - 1), b: sideOf(b, most - 1) };
}

export function trajectoryOf(events: readonly JournalEvent[]): Trajectory {
  const steps: KeyedStep[] = [];
  const byCall = new Map<string, KeyedStep>();
  const newest = new Map<string, KeyedStep>();
  let lastPicture: string | null = null;
  let end = 'It was cut off.';
  for (const event of events) {
    switch (event.type) {
      case 'tool_call': {
        if (event.by === 'harness' || event.look) break;
        const lane = laneOf(event);
        const going = event.continues ? newest.get(lane) : undefined;
        const step = going ?? stepOf(event);
        if (!going) steps.push(step);
        newest.set(lane, step);
        byCall.set(event.callId, step);
        break;
      }
      case 'tool_result': {
        const step = byCall.get(event.callId);
        if (step && event.isError) step.isError = true;
        break;
      }
      case 'evidence': {
        const step = event.callId === undefined ? undefined : byCall.get(event.callId);
        if (step) step.url = event.url;
        break;
      }
      case 'screenshot': {
        if (!event.ok || event.file === undefined) break;
        lastPicture = event.file;
        const step = event.callId === undefined ? undefined : byCall.get(event.callId);
        if (step) step.picture = event.file;
        break;
      }
      case 'stop':
        end = `${event.status}: ${event.reason}`;
        break;
      default:
        break;
    }
  }
  return { steps, end, lastPicture };
}

interface KeyedStep extends TrajectoryStep {
  key: string;
}

function stepOf(call: Extract<JournalEvent, { type: 'tool_call' }>): KeyedStep {
  const { action, key } = moveOf(call);
  const brief = clip(briefOf(call.canonical ?? call.arguments ?? {}), BRIEF).text;
  return { seq: call.seq, action, key, tool: call.tool, brief, isError: false, url: null, picture: null };
}

function differenceBetween(
  a: TrajectoryStep | undefined,
  b: TrajectoryStep | undefined,
): Exclude<Divergence['kind'], 'none'> | undefined {
  if (!a || !b) return 'end';
  if ((a as KeyedStep).key !== (b as KeyedStep).key) return 'action';
  if (a.isError !== b.isError) return 'error';
  return a.url !== null && b.url !== null && a.url !== b.url ? 'url' : undefined;
}

function sideOf({ steps, end, lastPicture }: Trajectory, index: number): DivergedSide {
  const found = steps[index] as KeyedStep | undefined;
  const { key: _key, ...step } = found ?? { key: '' };
  return { step: found ? (step as TrajectoryStep) : null, end, picture: found?.picture ?? lastPicture };
}
