/** Opens a model of any kind as a `LanguageModel` of the AI SDK, whose only way to the network is our guarded `fetch`. The library of a kind is loaded when the kind is used. */
import type { LanguageModel } from 'ai';
import type { KeyBinding } from './api-provider.ts';
import type { CallContext } from './call-context.ts';
import { CallFailure } from './call-failure.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { DEFAULT_KEY_ACCESS, keyRefusal, usualKeyRefusal } from './key-access.ts';
import { DEFAULT_KEY_ENVS, type ModelKind, resolveBaseUrl, speaksResponses } from './provider-kinds.ts';

export interface ModelChoice {
  readonly kind: ModelKind;
  readonly model: string;
  /** Undefined or null: the kind's own. */
  readonly baseUrl?: string | null | undefined;
  /** The name of an environment variable; undefined: the kind's usual one; null: the endpoint takes no key. */
  readonly keyEnv?: string | null | undefined;
  /** Of a stored provider. */
  readonly binding?: KeyBinding | undefined;
}

export interface OpenedModel {
  readonly kind: ModelKind;
  readonly id: string;
  readonly baseUrl: string;
  readonly languageModel: Exclude<LanguageModel, string>;
  readonly context: CallContext;
  /** Takes the key out of a text from outside, and cuts it. */
  readonly hide: (text: string) => string;
}

const MAX_RAW = 2000;

/** @throws CallFailure when the key is not set or may not be used, or when an address is needed: before anything is called. */
export async function openModel(choice: ModelChoice, context: CallContext): Promise<OpenedModel> {
  const { kind, model } = choice;
  const baseUrl = resolveBaseUrl(kind, choice.baseUrl);
  if (baseUrl === undefined) throw new CallFailure('invalid_request', `A model of kind ${kind} needs a base URL.`);
  const key = readKey(choice, context);
  const hide = (text: string): string => (key === undefined ? text : text.replaceAll(key, '[key]')).slice(0, MAX_RAW);
  const fetch = guardedFetch(context, { hasKey: key !== undefined, hide });
  const languageModel = await load({ kind, model, baseUrl, key, fetch, hide });
  return { kind, id: model, baseUrl, languageModel, context, hide };
}

/** The environment variable that holds the key; null: none is used. */
export function keyVariableOf({ kind, keyEnv = DEFAULT_KEY_ENVS[kind] }: Omit<ModelChoice, 'model'>): string | null {
  return keyEnv;
}

export interface KeyProblem {
  readonly code: 'key_missing' | 'key_withheld';
  readonly message: string;
}

/** Why a call could not have its key, before anything is called; undefined where it has one, or needs none. */
export function keyProblem(
  choice: Omit<ModelChoice, 'model'>,
  { env, keyAccess }: Pick<CallContext, 'env' | 'keyAccess'>,
): KeyProblem | undefined {
  const keyEnv = keyVariableOf(choice);
  if (keyEnv === null) return undefined;
  const baseUrl = resolveBaseUrl(choice.kind, choice.baseUrl) ?? '';
  const withheld = whyWithheld(choice, { keyEnv, baseUrl }, keyAccess);
  if (withheld !== undefined) return { code: 'key_withheld', message: withheld };
  return env[keyEnv] ? undefined : { code: 'key_missing', message: `The environment variable ${keyEnv} is not set.` };
}

function readKey(choice: ModelChoice, context: CallContext): string | undefined {
  const problem = keyProblem(choice, context);
  if (problem) throw new CallFailure(problem.code, problem.message);
  const keyEnv = keyVariableOf(choice);
  return keyEnv === null ? undefined : context.env[keyEnv];
}

function whyWithheld(
  { binding, keyEnv: named }: Omit<ModelChoice, 'model'>,
  use: { keyEnv: string; baseUrl: string },
  access = DEFAULT_KEY_ACCESS,
): string | undefined {
  if (binding) {
    const refusal = keyRefusal({ ...use, boundTo: binding.origin }, access);
    return refusal && `${refusal.message} ${refusal.hint}`;
  }
  return named === undefined ? usualKeyRefusal(use.keyEnv, use.baseUrl) : undefined;
}

interface Endpoint {
  readonly kind: ModelKind;
  readonly model: string;
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  readonly hide: (text: string) => string;
}

/** Without a text in its place, a library would read a key from a variable of its own choice; `guardedFetch` sends none. */
const NO_KEY = 'none';

/** Addresses and keys are always given: otherwise the libraries take them from the environment. */
async function load({ kind, model, baseUrl, key, fetch, hide }: Endpoint): Promise<OpenedModel['languageModel']> {
  const settings = { baseURL: baseUrl, apiKey: key ?? NO_KEY, fetch };
  switch (kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const openai = createOpenAI(settings);
      return speaksResponses(baseUrl) ? openai.responses(model) : openai.chat(model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(settings)(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle(settings)(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      // Without `supportsStructuredOutputs` a format is sent without its schema.
      return createOpenAICompatible({ ...settings, name: kind, supportsStructuredOutputs: true })(model);
    }
    case 'ollama': {
      const [{ createOllama }, { ollamaClient }] = await Promise.all([
        import('ai-sdk-ollama'),
        import('./ollama-client.ts'),
      ]);
      const ollama = createOllama({ client: ollamaClient({ baseUrl, key, fetch, hide }) });
      // What it calls reliable asks again by itself, repairs what the model said, and in the end makes up a reply.
      return ollama(model, { reliableObjectGeneration: false, reliableToolCalling: false });
    }
  }
}
