/** Language models through the AI SDK: providers, limits, retries, usage and cost. Neither the SDK nor the price table is loaded before a call. */

export type { ModelMessage } from 'ai';
export type { ApiProvider } from './api-provider.ts';
export { askAboutImage, type ImageAnswer } from './ask-about-image.ts';
export type { CallContext, CallLimits } from './call-context.ts';
export { CallFailure, type CallFailureCode } from './call-failure.ts';
export { type Completion, completeItem, type ItemErrorCode } from './complete-item.ts';
export { type GenerateRequest, type Generation, generate, type ReplyFormat } from './generate.ts';
export {
  DEFAULT_KEY_ACCESS,
  fixedOrigins,
  type KeyAccess,
  keyRefusal,
  originOf,
  parseKeyVariables,
  usualKeyRefusal,
} from './key-access.ts';
export { parseModelName, providerOf } from './named-model.ts';
export { keyProblem, keyVariableOf, type ModelChoice, type OpenedModel, openModel } from './open-model.ts';
export { isPriced } from './price.ts';
export { MODEL_KINDS, resolveBaseUrl } from './provider-kinds.ts';
export { ProviderSlots } from './provider-slots.ts';
export { systemContext } from './system-context.ts';
export { type DescribedTool, type NamedTools, toolSet } from './tool-set.ts';
