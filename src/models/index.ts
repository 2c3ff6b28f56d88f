/** Calls of language models: limits, retries, usage. */
export type { ApiProvider, CallContext, CallLimits } from './api-provider.ts';
export { CallFailure, type CallFailureCode } from './call-failure.ts';
export { type ChatMessage, type ChatReply, completeChat } from './chat-client.ts';
export { type Completion, completeItem } from './complete-item.ts';
export { ProviderSlots } from './provider-slots.ts';
export { systemContext } from './system-context.ts';
