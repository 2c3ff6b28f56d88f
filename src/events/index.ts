/** The events of a journal, and the folds of them: messages, result, metadata, reward, ledger. */
export { type AgentResult, agentResult } from './agent-result.ts';
export { type AttemptFold, AttemptFolding, attemptFold } from './attempt-fold.ts';
export { boundEvent } from './bound-event.ts';
export { deciderOf, type GradeOfResult, gradeOfResult, isLeftToGrader, latestByGrader } from './decided-outcome.ts';
export type { Delegation } from './delegations.ts';
export {
  type EventOf,
  type EventType,
  eventSchemas,
  isStep,
  type JournalEvent,
  laneOf,
  MAIN_LANE,
  type NewEvent,
  type TaskStart,
  type UnknownEvent,
} from './events.ts';
export type { FailureOrigin } from './failure-origin.ts';
export { GRADE_VERDICTS, type Grade, type GradeVerdict, gradeSchema } from './grade.ts';
export { Attempts, ledgerLines } from './ledger-attempts.ts';
export { boundList, boundText, JOURNAL_LIMITS } from './limits.ts';
export {
  boundMessage,
  DELEGATION_STATUSES,
  EXECUTOR_ID_RULE,
  executorIdSchema,
  type Message,
  messageSchema,
  type Said,
  type TurnMessage,
  turnMessageSchema,
  type UsageMessage,
  usageMessageSchema,
  type WarningMessage,
  warningMessageSchema,
} from './message.ts';
export { MessageFold, messageLines, messagesOf, unbegunMessages } from './messages.ts';
export { MetadataFold, unbegunMetadata } from './metadata.ts';
export { type AttemptMetadata, type MetadataSource, metadataSchema } from './metadata-schema.ts';
export { metricEvents } from './metric-events.ts';
export { migratedJournal, type OldItem, type OldRun } from './migrated-journal.ts';
export { Owners } from './owners.ts';
export { type EvidenceBody, pageStateOf } from './page-state.ts';
export { parseEvent } from './parse-event.ts';
export {
  type AskedQuestion,
  answeredEvents,
  askedEvents,
  journalText,
  type QuestionAnswer,
  questionJournal,
} from './question-journal.ts';
export type { RecoveryFork, RecoverySearches } from './recovery-searches.ts';
export { type Difference, rescoreEvents } from './rescore-events.ts';
export { type EpisodeResult, episodeResult, HELD_AT_START } from './result.ts';
export type { RoleMetrics } from './roles.ts';
export {
  type AttemptRef,
  attemptRefSchema,
  CELL_STATES,
  type Cell,
  type CellState,
  cellSchema,
  type RunInputs,
  type RunPlan,
  runInputsSchema,
  runPlanSchema,
  type SuiteSource,
  type Variant,
  variantSchema,
} from './run-model.ts';
export { AttemptScorer } from './scorer.ts';
export { JOURNAL_VERSION } from './start-event.ts';
export { isTestModel, TEST_MODEL_PREFIX } from './test-model.ts';
export {
  isAssistantMessage,
  isDelegation,
  isDelegationResult,
  isErrorMessage,
  isToolCall,
  isToolResult,
  isUserMessage,
  type TraceMessage,
  type TraceMessageType,
  traceMessageJsonSchema,
  traceMessageSchema,
} from './trace-message.ts';
export { type ModelUsage, sumUsage } from './usage.ts';
export type { UsageTotals } from './usage-totals.ts';
export { VerdictFold } from './verdict-fold.ts';
