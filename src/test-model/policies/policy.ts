/** A policy decides what the model replies. It is a pure function of the conversation, the tasks that it knows, and a seed. */
import type { CanonicalAction } from '../../tools/index.ts';
import type { Conversation, Draft } from '../conversation.ts';
import type { MarkedCall } from './call-marks.ts';
import type { RecognisedTask } from './known-task.ts';
import type { KnownServer } from './tool-server.ts';

/** A conversation of an agent that drives a browser. */
export interface BrowserTurn {
  readonly conversation: Conversation;
  /** Undefined when the conversation is about no task that the server was given. */
  readonly task: RecognisedTask | undefined;
  readonly server: KnownServer;
  /** What this policy did before, in order. */
  readonly made: readonly MarkedCall[];
  /** The number of replies before this one. */
  readonly turn: number;
  /** Uniform in [0, 1), the same for the same purpose. */
  readonly draw: (...purpose: readonly (string | number)[]) => number;
}

/** A conversation of an orchestrator, whose tools are `delegate`, `complete` and `fail`. */
export interface OrchestratorTurn {
  readonly conversation: Conversation;
  readonly task: RecognisedTask | undefined;
  readonly turn: number;
}

export interface Policy {
  readonly about: string;
  browse(turn: BrowserTurn): Draft;
  orchestrate(turn: OrchestratorTurn): Draft;
  /** How it grades: whether it believes what it is told. */
  readonly judges: 'careful' | 'gullible';
  /** It waits this long before each reply, unless the server is told another time. */
  readonly thinkMs?: number;
  /** The share of replies that fail. */
  readonly failing?: number;
}

export type { CanonicalAction };
