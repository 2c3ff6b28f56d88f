/**
 * A test model: a local HTTP server that speaks the protocols of model vendors and plays policies, so that agents can be tried without a key.
 *
 * @example
 * import { startTestModel } from 'waymark/test-model';
 *
 * await using model = await startTestModel({ policy: 'wanderer', tasks: ['tasks/'] });
 * await runMyAgent({ baseUrl: model.baseUrls['openai-compatible'], model: 'test' });
 * console.log(model.requests.length);
 */
export type {
  Conversation,
  ConversationMessage,
  ConversationTool,
  ModelReply,
  ModelToolCall,
  ModelToolResult,
  Picture,
  TokenUsage,
} from './conversation.ts';
export { FAULT_NAMES, FAULTS, type FaultChoice, type FaultName } from './faults.ts';
export { parseFault } from './model-name.ts';
export { isPolicyName, POLICIES, type PolicyName } from './policies/index.ts';
export type { KnownTask } from './policies/known-task.ts';
export type { RecordedRequest } from './recorded-request.ts';
export { startTestModel, type TestModel, type TestModelOptions } from './start-test-model.ts';
