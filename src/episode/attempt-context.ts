/** What the lanes of an attempt share: its task, its journal, its caps and its end. */
import type { EpisodeTaskSpec } from '../cases/index.ts';
import type { Contract, Facts, FactsNeeded, Verdict } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { AttemptScorer } from '../events/index.ts';
import type { Journal } from '../journal/index.ts';
import type { CanonicalAction } from '../tools/index.ts';
import type { ToolCall } from './agent.ts';
import type { EvidenceLog } from './evidence-log.ts';
import type { ImageQuestions } from './image-questions.ts';
import type { OpenCalls } from './open-calls.ts';
import type { OpenedPages } from './opened-pages.ts';
import type { PictureStore } from './picture-store.ts';
import type { Secrets } from './secrets.ts';
import type { ServerUnderTest } from './under-test.ts';

/** A call that the agent made, before it is carried out. */
export interface WantedCall {
  call: ToolCall;
  canonical: unknown;
  step: number;
}

export interface Recovery {
  /** The action to carry out instead of the agent's call; undefined where the call is to be made as it is. */
  instead(wanted: WantedCall, attempt: AttemptContext): Promise<CanonicalAction | undefined>;
}

export interface AttemptContext {
  readonly task: EpisodeTaskSpec;
  readonly server: ServerUnderTest;
  readonly journal: Pick<Journal, 'append'>;
  readonly pictures: PictureStore | undefined;
  readonly secrets: Secrets;
  /** Actions that need approval are let through. */
  readonly allowGuarded: boolean;
  readonly callTimeoutMs: number;
  /** By class: the hashes of its example pictures, for `screenshot_class`. */
  readonly exemplars: NonNullable<Facts['exemplars']> | undefined;
  /** For `image_qa`. */
  readonly questions: ImageQuestions | undefined;
  /** Pages that the contract reads at the end; undefined where it reads none, and after a fault. */
  readonly openedPages: OpenedPages | undefined;
  readonly contract: Contract;
  readonly needed: FactsNeeded;
  readonly scorer: AttemptScorer;
  readonly evidence: EvidenceLog;
  readonly openCalls: OpenCalls;
  /** Searches for a better call after a failure; undefined without `--recover`. */
  readonly recovery: Recovery | undefined;
  /** When the contract began to be watched. */
  readonly contractEnter: number;
  /** Aborted when the attempt has ended. */
  readonly signal: AbortSignal;
  /** Bounds what a model is asked about the page. */
  readonly questionSignal: AbortSignal;
  /** The agent's final answer, or null where it gave none; undefined while the attempt goes on. */
  readonly finalAnswer: string | null | undefined;
  now(): number;
  isEnded(): boolean;
  nextCallId(): string;
  /** Reserves a step and gives its number. Throws where none is left. */
  takeStep(): number;
  takeLook(): boolean;
  /** A step was made and looked at: ends the attempt where it has to. `stoppedBy`: the approval that it needed and did not have. */
  stepEnded(outcome: { verdict: Verdict; stoppedBy: string | undefined }): void;
  /** Ends the attempt because of a thrown value. Returns the result that the agent gets. */
  fail(error: unknown): WaymarkError;
  /** Work of the harness that a lane waits for: while every lane waits, the agent's time stands still. */
  whileWaiting<T>(lane: string, work: () => Promise<T>): Promise<T>;
}

/** The result of a call after the end of the attempt. */
export function attemptEnded(cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'attempt_ended',
    message: 'The attempt has ended; the call was not made, or its answer is not given.',
    ...(cause === undefined ? {} : { cause }),
  });
}
