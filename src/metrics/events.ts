/**
 * The events that the metrics read: the narrowest shape of what the journal writes.
 * Additional fields and other event types are ignored.
 */

interface EventPosition {
  /** Position in the journal. */
  seq: number;
  /** Milliseconds. Only differences are used. */
  time: number;
}

/** What belongs to a call or to a look at a page belongs to a lane; absent means the only one, `main`. */
interface InLane extends EventPosition {
  executorId?: string | undefined;
}

export interface ResetEvent extends EventPosition {
  type: 'reset';
  /** False if the browser could not be proved clean. */
  ok?: boolean | undefined;
  /** The server says with its results whether the calls make progress. */
  hasProgressStatus?: boolean | undefined;
}

export interface ToolCallEvent extends InLane {
  type: 'tool_call';
  tool: string;
  arguments?: unknown;
  /** The tool only observes. A call is an action unless this is true. */
  observes?: boolean | undefined;
  /** `harness`: for example the navigation to the start URL. It does not count as a step of the agent. */
  by?: 'agent' | 'harness' | undefined;
  /** The agent only looked; no step either. */
  look?: boolean | undefined;
  /** A further call of the same move; no step either. */
  continues?: boolean | undefined;
  /** The canonical action that the call was rendered from. */
  canonical?: unknown;
}

export interface ToolResultEvent extends InLane {
  type: 'tool_result';
  isError?: boolean | undefined;
  /** What the agent was shown. Only needed for counting tokens. */
  text?: string | undefined;
}

export interface EvidenceEvent extends InLane {
  type: 'evidence';
  url?: string | undefined;
  /** Fingerprint of the state, without volatile regions. */
  state?: string | undefined;
}

export interface ContractEvalEvent extends InLane {
  type: 'contract_eval';
  verdict: 'pass' | 'fail' | 'inconclusive';
}

export interface RewardEvent extends InLane {
  type: 'reward';
  score: number;
  /** What it adds to the sum of the episode. Absent in journals of earlier scorers: the score. */
  contribution?: number | undefined;
  /** Of the last look: it belongs to no step. */
  final?: boolean | undefined;
  classification?: string | undefined;
}

export interface ScreenshotEvent extends InLane {
  type: 'screenshot';
}

export interface ProgressEvent extends InLane {
  type: 'progress';
  status: 'progressing' | 'stalling' | 'stuck' | (string & {});
}

/** `answered` and `error` are those of questions: whether an answer is right, its grade says. */
export type EpisodeStatus =
  | 'passed'
  | 'failed'
  | 'timeout'
  | 'max_steps'
  | 'adapter_error'
  | 'tool_error'
  | 'answered'
  | 'error';

/** What ended an episode before the agent finished. */
export type StopCause =
  | 'browser'
  | 'reset'
  | 'fixture'
  | 'server'
  | 'transport'
  | 'adapter'
  | 'grader'
  | 'guard'
  | 'site';

export interface StopEvent extends EventPosition {
  type: 'stop';
  status: EpisodeStatus;
  cause?: StopCause | undefined;
}

export type MetricEvent =
  | ResetEvent
  | ToolCallEvent
  | ToolResultEvent
  | EvidenceEvent
  | ContractEvalEvent
  | RewardEvent
  | ScreenshotEvent
  | ProgressEvent
  | StopEvent;
