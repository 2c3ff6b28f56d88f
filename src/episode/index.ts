/** The door of episode/: tasks, the one step function, and results folded from the journal. */
export {
  type Adapter,
  type AdapterContext,
  type NextMove,
  type StepOutcome,
  type ToolCall,
  toolCallSchema,
} from './adapter.ts';
export { CALL_TIMEOUT_MS, Episode, type EpisodeOptions, type Step } from './episode.ts';
export { LEDGER_FILE, METADATA_FILE } from './episode-files.ts';
export type { Stop } from './faults.ts';
export { type RunEpisodeOptions, runEpisode } from './run-episode.ts';
export { MIN_SECRET_LENGTH, readSecrets, Secrets, type SecretValues } from './secrets.ts';
export { PROGRESS_TOOL, type ServerUnderTest, serverUnderTest } from './under-test.ts';
