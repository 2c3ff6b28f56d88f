/** MCP servers for browser agents: the embedded server, connections to foreign ones, their profiles, and canonical actions. */
export { CanonicalAction } from './canonical/action.ts';
export { ACTION_NAMES, actionOfCall } from './canonical/action-of-call.ts';

export {
  newRenderContext,
  type Plan,
  type RenderContext,
  type RenderEnd,
  type RenderedCall,
} from './canonical/plan.ts';
export { render, renderCall } from './canonical/render.ts';

export { BoundedOutput } from './connect/bounded-output.ts';
export { cleanEnvironment } from './connect/environment.ts';
export { findExecutable } from './connect/find-executable.ts';
export { ProcessFolder, reapServers } from './connect/process-folder.ts';
export {
  type OutputSink,
  type ProgramExit,
  ProgramProcess,
  type ProgramProcessOptions,
} from './connect/program-process.ts';
export type { ToolClient, ToolInfo, ToolResult } from './connect/tool-client.ts';

export { type EmbeddedServerOptions, embeddedServer } from './embedded/server.ts';
export {
  type AttachedServer,
  attachServer,
  type LaneConnection,
} from './profiles/attach-server.ts';
export type { ServerProfile } from './profiles/profile.ts';
export { profileOf } from './profiles/profile-of.ts';
export { ServerChoice } from './profiles/server-choice.ts';
