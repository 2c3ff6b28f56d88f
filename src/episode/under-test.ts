/** What an episode needs of the server under test and of the browser that it drives. */
import type { Slot, Witness } from '../chromium/index.ts';
import { perceptualHash } from '../contracts/index.ts';
import {
  type AttachedServer,
  type CanonicalAction,
  type LaneConnection,
  newRenderContext,
  type Plan,
  type RenderEnd,
  render,
  type ToolClient,
  type ToolResult,
} from '../tools/index.ts';
import type { ToolCall } from './agent.ts';

export interface ServerUnderTest {
  readonly name: string;
  readonly version: string;
  /** `memory`, `stdio`, `http`. */
  readonly transport: string;
  /** Who keeps episodes apart: `context`, `process`, or the server itself. */
  readonly isolation: string;
  readonly client: ToolClient;
  readonly witness: Witness;
  /** Resolves with the reason when the browser is gone. */
  readonly browserGone: Promise<string>;
  isBrowserAlive(): boolean;
  /** The server has connected to the browser that it was given. Always true where there is no gate. */
  hasConnected(): boolean;
  /** The server has sent the command that makes a page crash. */
  hasCrashedPage(): boolean;
  /** The perceptual hash of a screenshot, for contracts that ask for one. */
  hashOf(picture: Buffer): Promise<string>;
  /** The calls of an action; some servers have to be asked first how they name a tab or an element. */
  render(action: CanonicalAction): Plan<RenderEnd>;
  /** The call only observes. */
  observes(call: ToolCall): boolean;
  /** What kind of failure an error is, where the server's profile can tell. */
  failureKind(result: ToolResult): string | undefined;
  /** Whether the server says with its results if the calls make progress; and what it says with this one. */
  readonly hasProgressStatus: boolean;
  progress(result: ToolResult): string | undefined;
  /** What a reader of the results should know: of the server, by its profile, and of what other slots did to this one so far. */
  notes(): readonly { source: 'server' | 'browser'; message: string }[];
  /** A connection for a further lane. Throws `executor_unsupported` where there can be none. */
  openLane(signal: AbortSignal): Promise<LaneConnection>;
}

/** An attached server, on the slot that it is attached to. */
export function serverUnderTest(
  attached: AttachedServer,
  slot: Slot,
  isolation: 'context' | 'process',
): ServerUnderTest {
  const { profile, client, witness } = attached;
  // A server with a browser of its own is lost with that one, not with the slot's.
  const { connection } = attached.browser ?? slot.host.browser;
  return {
    name: profile.name,
    version: client.version,
    transport: profile.attach === 'memory' ? 'memory' : client.pid === undefined ? 'http' : 'stdio',
    isolation: attached.isolation === 'server' ? 'server' : isolation,
    client,
    witness,
    browserGone: connection.closed,
    isBrowserAlive: () => connection.isOpen,
    hasConnected: () => attached.gate?.hasConnected ?? true,
    hasCrashedPage: () => attached.gate?.methods.has('Page.crash') ?? false,
    hashOf: async (picture) => perceptualHash(await slot.host.utilityPage.pictures.decode(picture, 'The screenshot')),
    render: (action) => render(action, profile, newRenderContext(client)),
    observes: ({ tool, arguments: args = {} }) => profile.observes(tool, args),
    failureKind: (result) => profile.errorKind(result),
    hasProgressStatus: profile.progress !== undefined,
    progress: (result) => profile.progress?.(result),
    openLane: (signal) => attached.openLane(signal),
    notes: () => [
      ...[...(profile.notes ?? []), ...(attached.client.notes ?? [])].map((message) => ({
        source: 'server' as const,
        message,
      })),
      ...slot.notes.map((message) => ({ source: 'browser' as const, message })),
    ],
  };
}
