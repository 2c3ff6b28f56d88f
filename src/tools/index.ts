/** MCP servers for browser agents: the embedded server, connections to foreign ones, their profiles, and canonical actions. */
export { type ActionName, CanonicalAction } from './canonical/action.ts';
export { type Performed, type PerformedCall, performAction } from './canonical/perform.ts';
export {
  newRenderContext,
  type Plan,
  type RenderContext,
  type RenderEnd,
  type RenderedCall,
} from './canonical/plan.ts';
export { render } from './canonical/render.ts';
export { describeTarget, Target } from './canonical/target.ts';
export { type ConnectOptions, connectServer } from './connect/connect-server.ts';
export type { ServerSpec } from './connect/server-spec.ts';
export type { CallOptions, ToolClient, ToolImage, ToolInfo, ToolResult } from './connect/tool-client.ts';
export { FAILURE_HINTS, type FailureKind } from './embedded/failure.ts';
export { PROGRESS_LIMITS, type ProgressStatus } from './embedded/progress.ts';
export { type EmbeddedServer, type EmbeddedServerOptions, embeddedServer } from './embedded/server.ts';
export {
  type AttachedServer,
  type AttachOptions,
  attachServer,
  type LaneConnection,
} from './profiles/attach-server.ts';
export type { Dialect, ServerProfile } from './profiles/profile.ts';
export { profileOf } from './profiles/profile-of.ts';
export { CustomServer, parseServerChoice, ServerChoice } from './profiles/server-choice.ts';
