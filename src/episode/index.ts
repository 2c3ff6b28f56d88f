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
export { type LoadedTask, loadTasks } from './load-tasks.ts';
export { type Difference, type Rejudged, rejudge } from './rejudge.ts';
export { type EpisodeResult, episodeResult, type ResultOptions } from './result.ts';
export { type RunEpisodeOptions, runEpisode, type Stop } from './run-episode.ts';
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
export { PROGRESS_TOOL, type ServerUnderTest, serverUnderTest } from './under-test.ts';
