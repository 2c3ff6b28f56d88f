/**
 * The events that metrics read: the narrowest shape of what the journal writes.
 * An event may carry more, and other types may stand between these; both are ignored.
 */

interface At {
  /** Position in the journal. */
  seq: number;
  /** Milliseconds; only differences are used. */
  time: number;
}

export interface ResetEvent extends At {
  type: 'reset';
  /** False where the browser could not be proved clean. */
  ok?: boolean | undefined;
  /** The server has `oc_progress_status`. */
  hasProgressStatus?: boolean | undefined;
}

export interface ToolCallEvent extends At {
  type: 'tool_call';
  tool: string;
  arguments?: unknown;
  /** The tool only observes. A call is an action unless this is true. */
  observes?: boolean | undefined;
  /** `harness`: the navigation to the start and the like; no step of the agent. */
  by?: 'agent' | 'harness' | undefined;
}

export interface ToolResultEvent extends At {
  type: 'tool_result';
  isError?: boolean | undefined;
  /** What the agent was shown; needed for counting tokens only. */
  text?: string | undefined;
}

export interface EvidenceEvent extends At {
  type: 'evidence';
  url?: string | undefined;
  /** Fingerprint of the state, volatile regions left out. */
  state?: string | undefined;
}

export interface ContractEvalEvent extends At {
  type: 'contract_eval';
  verdict: 'pass' | 'fail' | 'inconclusive';
}

export interface RewardEvent extends At {
  type: 'reward';
  score: number;
  classification?: string | undefined;
}

export interface ScreenshotEvent extends At {
  type: 'screenshot';
}

export interface ProgressEvent extends At {
  type: 'progress';
  status: 'progressing' | 'stalling' | 'stuck' | (string & {});
}

export type EpisodeStatus = 'passed' | 'failed' | 'timeout' | 'max_steps' | 'adapter_error' | 'tool_error';

/** What ended an episode that did not end by itself. */
export type StopCause = 'browser' | 'reset' | 'fixture' | 'server' | 'transport' | 'adapter' | 'grader' | 'guard';

export interface StopEvent extends At {
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
