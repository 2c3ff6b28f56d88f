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

export interface ResetEvent extends EventPosition {
  type: 'reset';
  /** False if the browser could not be proved clean. */
  ok?: boolean | undefined;
  /** The server has `oc_progress_status`. */
  hasProgressStatus?: boolean | undefined;
}

export interface ToolCallEvent extends EventPosition {
  type: 'tool_call';
  tool: string;
  arguments?: unknown;
  /** The tool only observes. A call is an action unless this is true. */
  observes?: boolean | undefined;
  /** `harness`: for example the navigation to the start URL. It does not count as a step of the agent. */
  by?: 'agent' | 'harness' | undefined;
}

export interface ToolResultEvent extends EventPosition {
  type: 'tool_result';
  isError?: boolean | undefined;
  /** What the agent was shown. Only needed for counting tokens. */
  text?: string | undefined;
}

export interface EvidenceEvent extends EventPosition {
  type: 'evidence';
  url?: string | undefined;
  /** Fingerprint of the state, without volatile regions. */
  state?: string | undefined;
}

export interface ContractEvalEvent extends EventPosition {
  type: 'contract_eval';
  verdict: 'pass' | 'fail' | 'inconclusive';
}

export interface RewardEvent extends EventPosition {
  type: 'reward';
  score: number;
  classification?: string | undefined;
}

export interface ScreenshotEvent extends EventPosition {
  type: 'screenshot';
}

export interface ProgressEvent extends EventPosition {
  type: 'progress';
  status: 'progressing' | 'stalling' | 'stuck' | (string & {});
}

export type EpisodeStatus = 'passed' | 'failed' | 'timeout' | 'max_steps' | 'adapter_error' | 'tool_error';

/** What ended an episode before the agent finished. */
export type StopCause = 'browser' | 'reset' | 'fixture' | 'server' | 'transport' | 'adapter' | 'grader' | 'guard';

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
