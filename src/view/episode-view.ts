/** An episode as a list of steps, each with its call, result, changes, verdict and reward. Bounded in size. */
import { type Evidence, explain } from '../contracts/index.ts';
import {
  type EpisodeResult,
  type EventOf,
  type JournalEvent,
  laneOf,
  type Message,
  VerdictFold,
} from '../events/index.ts';
import { briefOf } from './brief.ts';
import { type Clipped, clip } from './clip.ts';
import { type Change, changesBetween } from './evidence-delta.ts';
import { HTML_LIMITS } from './limits.ts';
import { type Timeline, timelineOf } from './timeline.ts';

export interface Verdict {
  verdict: Evidence['verdict'];
  lines: string[];
  /** An earlier verdict had the same lines. */
  isRepeated: boolean;
}

export interface Look {
  changes: Change[];
  verdict?: Verdict;
}

export interface StepView {
  /** 0 for the agent's looks and for the harness's own calls. */
  step: number;
  by: 'agent' | 'harness';
  /** The agent only looked. */
  isLook: boolean;
  /** The harness made it instead of the agent's call. */
  isRecovered?: true;
  /** The lane that called. */
  lane: string;
  tool: string;
  seq: number;
  /** Milliseconds since the start. */
  at: number;
  arguments: Clipped;
  /** The arguments on one line. */
  brief: string;
  result?: { text: Clipped; isError: boolean; errorKind?: string; durationMs: number };
  look?: Look;
  /** What changed without an action after the step. */
  aside: Change[];
  reward?: Pick<EventOf<'reward'>, 'score' | 'classification' | 'reasons' | 'confidence'>;
  progress?: string;
  /** File of the picture, relative to the episode's folder. */
  picture?: string;
  notes: string[];
}

export interface EpisodeView {
  start: EventOf<'start'>;
  reset?: EventOf<'reset'>;
  steps: StepView[];
  final?: Look;
  finalPicture?: string;
  /** Where there are several lanes, or a model that thinks. */
  timeline?: Timeline;
  /** Approximate number of characters of its steps and its timeline. */
  size: number;
}

/** `team` is of the episode's result. */
export function episodeView(
  events: readonly JournalEvent[],
  team: Pick<EpisodeResult, 'roles' | 'delegations'> = {},
): EpisodeView {
  const [start] = events;
  if (start?.type !== 'start') throw new Error('The journal has no start event.');
  const walk = new EpisodeFold(start);
  for (const event of events) walk.take(event);
  if (!team.roles) return walk.end();
  const timeline = timelineOf(events, team);
  const view = walk.end();
  return { ...view, timeline, size: view.size + JSON.stringify(timeline).length };
}

class EpisodeFold {
  readonly #view: EpisodeView;
  readonly #byCall = new Map<string, StepView>();
  /** The newest observation of each lane's page: pages of different lanes are not compared. */
  readonly #before = new Map<string, EventOf<'evidence'>>();
  readonly #verdicts = new VerdictFold();
  readonly #finalPictures = new Map<string, string>();
  /** Changes of an observation that belongs to no call; the next verdict shows which observation it is. */
  #unassigned: Change[] | undefined;
  #lines = '';

  constructor(start: EventOf<'start'>) {
    this.#view = { start, steps: [], size: 0 };
  }

  take(event: JournalEvent): void {
    if (event.type !== 'contract_eval') this.#assignRest();
    switch (event.type) {
      case 'reset':
        this.#view.reset = event;
        return;
      case 'tool_call':
        this.#call(event);
        return;
      case 'tool_result':
        this.#result(event);
        return;
      case 'evidence':
        this.#evidence(event);
        return;
      case 'contract_eval':
        this.#verdict(event);
        return;
      case 'screenshot':
        this.#picture(event);
        return;
      default:
        this.#aboutStep(event);
    }
  }

  end(): EpisodeView {
    this.#assignRest();
    // Of the page whose verdict decides.
    const picture = this.#finalPictures.get(laneOf(this.#verdicts.last ?? {}));
    if (picture !== undefined) this.#view.finalPicture = picture;
    this.#view.size = JSON.stringify(this.#view.steps).length;
    return this.#view;
  }

  #call(event: EventOf<'tool_call'>): void {
    const { callId, step, by, look, recovered, tool, seq, time } = event;
    const args = event.arguments ?? {};
    const view: StepView = {
      step,
      by,
      isLook: look === true,
      ...(recovered ? { isRecovered: true } : {}),
      lane: laneOf(event),
      tool,
      seq,
      at: time - this.#view.start.time,
      arguments: clip(JSON.stringify(args, null, 2), HTML_LIMITS.text),
      brief: clip(briefOf(args), 120).text,
      aside: [],
      notes: [],
    };
    this.#byCall.set(callId, view);
    this.#view.steps.push(view);
  }

  #result({ callId, aborted, text, textLength, isError, errorKind, durationMs }: EventOf<'tool_result'>): void {
    const step = this.#byCall.get(callId);
    // A call that the end of the attempt cut off was never answered.
    if (!step || aborted) return;
    const kind = errorKind === undefined ? {} : { errorKind };
    step.result = { text: clip(text, HTML_LIMITS.text, textLength), isError, durationMs, ...kind };
  }

  #evidence(event: EventOf<'evidence'>): void {
    const lane = laneOf(event);
    const changes = changesBetween(this.#before.get(lane), event);
    this.#before.set(lane, event);
    const step = event.callId === undefined ? undefined : this.#byCall.get(event.callId);
    if (step) step.look = { changes };
    else this.#unassigned = changes;
  }

  #verdict(event: EventOf<'contract_eval'>): void {
    const { callId, phase, verdict, evidence } = event;
    this.#verdicts.add(event);
    const lines = evidence ? explain(evidence) : [];
    const text = lines.join('\n');
    const judged: Verdict = { verdict, lines, isRepeated: text !== '' && text === this.#lines };
    this.#lines = text;
    const changes = this.#unassigned ?? [];
    this.#unassigned = undefined;
    const step = callId === undefined ? undefined : this.#byCall.get(callId);
    if (step) step.look = { changes: step.look?.changes ?? [], verdict: judged };
    else if (phase === 'final') {
      // Every lane's page is looked at in the end; the look that decides is shown.
      if (this.#verdicts.last === event) this.#view.final = { changes, verdict: { ...judged, isRepeated: false } };
    } else {
      const first = this.#view.steps.at(-1);
      if (first) first.look = { changes, verdict: judged };
    }
  }

  #picture(event: EventOf<'screenshot'>): void {
    const { callId, ok, file, reason } = event;
    const step = callId === undefined ? undefined : this.#byCall.get(callId);
    if (!ok) (step ?? this.#view.steps.at(-1))?.notes.push(`No screenshot: ${reason ?? 'no reason was recorded'}`);
    else if (file !== undefined && step) step.picture = file;
    else if (file !== undefined && this.#view.final) this.#finalPictures.set(laneOf(event), file);
    else if (file !== undefined) {
      const first = this.#view.steps.at(-1);
      if (first) first.picture = file;
    }
  }

  #aboutStep(event: JournalEvent): void {
    const callId = 'callId' in event ? event.callId : undefined;
    const step = callId === undefined ? this.#view.steps.at(-1) : this.#byCall.get(callId);
    if (!step) return;
    // That of the last look belongs to no step.
    if (event.type === 'reward' && event.final) return;
    if (event.type === 'reward') step.reward = event;
    else if (event.type === 'progress') step.progress = event.status;
    else if (event.type === 'warning')
      step.notes.push(`${event.source}: ${clip(event.message, HTML_LIMITS.text).text}`);
    else if (event.type === 'message') step.notes.push(clip(sentenceOf(event.message), HTML_LIMITS.text).text);
  }

  #assignRest(): void {
    const changes = this.#unassigned;
    this.#unassigned = undefined;
    if (changes) this.#view.steps.at(-1)?.aside.push(...changes);
  }
}

function sentenceOf(message: Message): string {
  switch (message.type) {
    case 'delegation':
      return `Delegated to ${message.executorId}: ${message.instruction}`;
    case 'delegation_result':
      return `${message.executorId} ended (${message.status}): ${message.summary}`;
    default:
      return `${message.type}: ${message.content}`;
  }
}
