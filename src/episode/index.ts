/** The door of episode/: tasks, the one step function, and results folded from the journal. */
export {
  type Adapter,
  type AdapterContext,
  type NextMove,
  type StepOutcome,
  type ToolCall,
  toolCallSchema,
} from './adapter.ts';
export { ledgerLines } from './attempts.ts';
export { CALL_TIMEOUT_MS, Episode, type EpisodeOptions, type Step } from './episode.ts';
export { LEDGER_FILE, METADATA_FILE } from './episode-files.ts';
export type { Stop } from './faults.ts';
export { BadTasks, type LoadedTask, loadTasks, type SourcedProblem } from './load-tasks.ts';
export {
  type EpisodeMetadata,
  MetadataFold,
  type MetadataSource,
  metadataSchema,
  unbegunMetadata,
} from './metadata.ts';
export { type Difference, type Rejudged, rejudge } from './rejudge.ts';
export { type EpisodeResult, episodeResult, type ResultOptions } from './result.ts';
export { type RunEpisodeOptions, runEpisode } from './run-episode.ts';
export { MIN_SECRET_LENGTH, readSecrets, Secrets, type SecretValues } from './secrets.ts';
export {
  defineTask,
  type EpisodeTaskSpec,
  type ParsedTask,
  parseTask,
  TASK_LIMITS,
  type TaskInput,
  taskSchema,
} from './task.ts';
export { taskHash } from './task-hash.ts';
export type { TaskProblem, TaskProblemCode } from './task-problem.ts';
export { PROGRESS_TOOL, type ServerUnderTest, serverUnderTest } from './under-test.ts';
