/** The agents that come with Waymark. An agent calls a session. */
export { type ExternalOptions, externalAgent, externalOptionsSchema, presetKeyVariable } from './external/index.ts';
export { DEFAULT_CONTEXT_TOKENS, type ModelSettings } from './model/model-settings.ts';
export { OBSERVE_MODES, type ObserveMode } from './observe-modes.ts';
export { orchestratorExecutor } from './orchestrator/orchestrator-executor.ts';
export { scripted } from './scripted.ts';
export { single } from './single/single.ts';
export { parseTranscript, readTranscript, TRANSCRIPT_FORMAT, type Transcript } from './transcript.ts';
