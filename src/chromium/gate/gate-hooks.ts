/** What a connection through the gate asks of the slot that it belongs to. */
import type { Protocol } from '../cdp/protocol.ts';

export interface GateHooks {
  /** Called with every command before it is checked. A returned string refuses the command with that reason. */
  onCommand(method: string, params: Record<string, unknown>, targetId: string | undefined): string | undefined;
  onRefused(method: string, reason: string): void;
  /** The server acted on this page. */
  onDrive(targetId: string): void;
  /** Whether a frame without its own target is in one of the context's pages. */
  ownsFrame(frameId: string): boolean;
  /** Whether the server may see a target of the context. */
  ownsTarget(info: Protocol.Target.TargetInfo): boolean;
  /** Sends a command that opens a page. */
  makePage(send: () => Promise<unknown>): Promise<unknown>;
  /** Sends a key that copies or pastes. */
  useClipboard(send: () => Promise<unknown>): Promise<unknown>;
  /** The contexts that the server has created in this episode; they outlive its connection. */
  readonly ownContexts: Set<string>;
  readonly contexts: GateContexts;
}

/** Makes further contexts that belong to the episode: its witness sees them, and they end with it. */
export interface GateContexts {
  openContext(): Promise<string>;
  closeContext(contextId: string): Promise<void>;
}
