/** One attempt at a task: agents and their sessions, the one step function, evidence, secrets and guarded actions. */
export {
  type Agent,
  type AgentOutcome,
  type Allowance,
  type Budget,
  type Session,
  type SessionTask,
  type Spending,
  type StepOptions,
  type ToolCall,
  toolCallSchema,
} from './agent.ts';
export type { AgentHooks } from './agent-hooks.ts';
export type { StateHeaders } from './app-states.ts';
export { Attempt, type AttemptOptions } from './attempt.ts';
export { attemptEnded } from './attempt-context.ts';
export type { Ending, Stop } from './endings.ts';
export { LEDGER_FILE, MESSAGES_FILE, METADATA_FILE } from './episode-files.ts';
export { ATTEMPT_LIMITS } from './limits.ts';
export { DEFAULT_REPLAYS, MAX_REPLAYS, type RecoveryOptions } from './recovery/recovery-search.ts';
export { type RunEpisodeOptions, runEpisode } from './run-episode.ts';
export { MIN_SECRET_LENGTH, readSecrets, Secrets, type SecretValues } from './secrets.ts';
export { type ServerUnderTest, serverUnderTest } from './under-test.ts';
