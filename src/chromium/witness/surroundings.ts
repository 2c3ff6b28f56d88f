/** What a `PageWatch` needs from its witness. */
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import type { BoundedLog, ConsoleEntry, DialogEntry, NetworkEntry } from './logs.ts';
import type { RequestRecorder } from './request-recorder.ts';

export interface Surroundings {
  now(): number;
  /** The number of the last tool call. */
  marker(): number;
  readonly network: BoundedLog<NetworkEntry>;
  readonly console: BoundedLog<ConsoleEntry>;
  /** Whether the guard has blocked the request that the browser tells of now. */
  wasBlocked(requestId: string, url: string): boolean;
  /** Whether the guard keeps a WebSocket from being opened. */
  blocksSocket(url: string): boolean;
  /** Undefined while no grader needs more of a request than its log entry. */
  recorder(): RequestRecorder | undefined;
  session(sessionId: string): Session;
  forget(sessionId: string): void;
  /** The requests to send while a page or a cross-process frame is paused: determinism and network policy. */
  prepare(session: Session, kind: 'page' | 'iframe'): Promise<unknown>[];
  /** Resolves when no server holds the new page back any more. */
  untilResumed(targetId: string): Promise<void>;
  onWorker(session: Session, targetId: string): Promise<void>;
  onOrigin(origin: string): void;
  onCrashed(targetId: string): void;
  onDialogOpened(targetId: string, dialog: Protocol.Page.JavascriptDialogOpeningEvent): DialogEntry;
  onDialogClosed(dialog: DialogEntry, accepted: boolean): void;
}
