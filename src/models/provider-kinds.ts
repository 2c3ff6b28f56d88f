/**
 * The kinds of providers: where each is reached, and which variable holds its key, where nothing else is said.
 *
 * | kind | is called at |
 * |---|---|
 * | openai | `<base URL>/responses` at OpenAI itself, `<base URL>/chat/completions` at any other address |
 * | anthropic | `<base URL>/messages` |
 * | google | `<base URL>/models/<model>:generateContent` |
 * | openai-compatible | `<base URL>/chat/completions` |
 * | ollama | `<base URL>/api/chat` |
 */
export const MODEL_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible', 'ollama'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** `openai-compatible` has none: its address must be given. */
const DEFAULT_BASE_URLS: Readonly<Record<Exclude<ModelKind, 'openai-compatible'>, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434',
};

/** Null: the kind is called without a key unless one is named. */
export const DEFAULT_KEY_ENVS: Readonly<Record<ModelKind, string | null>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  'openai-compatible': null,
  ollama: null,
};

/** Version 0.1.0 called Google and Ollama by their chat completions; the addresses that it stored end like this. */
const OLD_ENDINGS: Readonly<Partial<Record<ModelKind, RegExp>>> = { google: /\/openai$/, ollama: /\/(?:v1|api)$/ };

/** @returns the address that a kind's own protocol is spoken at; undefined where none is given and the kind has none. */
export function resolveBaseUrl(kind: ModelKind, baseUrl: string | null | undefined): string | undefined {
  if (baseUrl) return baseUrl.replace(/\/+$/, '').replace(OLD_ENDINGS[kind] ?? /$^/, '');
  return kind === 'openai-compatible' ? undefined : DEFAULT_BASE_URLS[kind];
}

/** Only OpenAI itself is sure to speak the responses protocol; servers that copy its API speak chat completions. */
export function speaksResponses(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === new URL(DEFAULT_BASE_URLS.openai).hostname;
}
