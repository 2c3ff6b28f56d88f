/**
 * Which environment variables may hold keys of models that a stored provider or a file names, and where each key may be sent. Otherwise whoever can
 * write down a provider could have any variable of the process sent to any address.
 */
import { WaymarkError } from '../errors/index.ts';

/** What the operator allowed at the start. */
export interface KeyAccess {
  /** Names, and prefixes that end with `*`; an origin where the key is bound to one. The first that fits a name counts. */
  readonly variables: readonly { readonly pattern: string; readonly origin?: string | undefined }[];
}

/** The vendors' own variables, with the origins that their keys are for. */
const VENDORS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    OPENAI_API_KEY: ['https://api.openai.com', 'https://eu.api.openai.com', 'https://us.api.openai.com'],
    ANTHROPIC_API_KEY: ['https://api.anthropic.com'],
    GOOGLE_GENERATIVE_AI_API_KEY: ['https://generativelanguage.googleapis.com'],
    GEMINI_API_KEY: ['https://generativelanguage.googleapis.com'],
    GOOGLE_API_KEY: ['https://generativelanguage.googleapis.com'],
    OLLAMA_API_KEY: ['https://ollama.com'],
    OPENROUTER_API_KEY: ['https://openrouter.ai'],
    MISTRAL_API_KEY: ['https://api.mistral.ai'],
    DEEPSEEK_API_KEY: ['https://api.deepseek.com'],
    GROQ_API_KEY: ['https://api.groq.com'],
    XAI_API_KEY: ['https://api.x.ai'],
    TOGETHER_API_KEY: ['https://api.together.xyz', 'https://api.together.ai'],
    FIREWORKS_API_KEY: ['https://api.fireworks.ai'],
    CEREBRAS_API_KEY: ['https://api.cerebras.ai'],
    PERPLEXITY_API_KEY: ['https://api.perplexity.ai'],
  }),
);

/** For keys of all other hosts. */
const KEY_PREFIX = 'WAYMARK_KEY_';

export const DEFAULT_KEY_ACCESS: KeyAccess = {
  variables: [...VENDORS.keys(), `${KEY_PREFIX}*`].map((pattern) => ({ pattern })),
};

/**
 * The list that `--key-variables` takes: names, prefixes that end with `*`, each with `=<origin>` where its key is for one origin only. `default` stands
 * for what is allowed without a list.
 * @example parseKeyVariables('default,GATEWAY_KEY=https://gateway.example')
 */
export function parseKeyVariables(list: string | undefined): KeyAccess {
  if (list === undefined) return DEFAULT_KEY_ACCESS;
  const variables = list.split(',').flatMap((entry) => {
    const [pattern = '', ...address] = entry.trim().split('=');
    if (pattern === 'default' && address.length === 0) return DEFAULT_KEY_ACCESS.variables;
    if (!/^[A-Za-z_][A-Za-z0-9_]*\*?$/.test(pattern))
      throw badList(`"${pattern}" is neither the name of an environment variable nor a prefix that ends with *.`);
    if (address.length === 0) return [{ pattern }];
    const origin = originOf(address.join('='));
    if (origin === undefined) throw badList(`"${address.join('=')}" is not an http or https address.`);
    return [{ pattern, origin }];
  });
  // What says more comes first: a default does not stand above the address that was given beside it.
  return { variables: variables.toSorted((a, b) => Number(b.origin !== undefined) - Number(a.origin !== undefined)) };
}

/** `https://api.example.com:8443` of an address; undefined where it is not one of http or https. */
export function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

export interface KeyUse {
  /** The name of the variable. */
  readonly keyEnv: string;
  readonly baseUrl: string;
  /** The origin that the key was bound to when it was first used; null: none yet. */
  readonly boundTo: string | null;
}

export interface KeyRefusal {
  readonly code: 'key_variable_refused' | 'key_host_refused';
  readonly message: string;
  /** What to do, as a sentence. */
  readonly hint: string;
}

/** How the operator allows more, in the words of the program that was started. */
export type AllowHint = (entry: string) => string;

const ON_SERVER: AllowHint = (entry) => `start the server with --key-variables default,${entry}`;

/** Why a key may not be used in this way; undefined where it may. */
export function keyRefusal(use: KeyUse, access: KeyAccess, allow: AllowHint = ON_SERVER): KeyRefusal | undefined {
  const { keyEnv, baseUrl } = use;
  if (!isAllowed(keyEnv, access))
    return {
      code: 'key_variable_refused',
      message: `The environment variable ${keyEnv} may not be used as a key.`,
      hint: `Put the key into a variable whose name begins with ${KEY_PREFIX}, or ${allow(keyEnv)}.`,
    };
  const origin = originOf(baseUrl) ?? baseUrl;
  const meant = fixedOrigins(keyEnv, access) ?? (use.boundTo === null ? [origin] : [use.boundTo]);
  return meant.includes(origin) ? undefined : otherHost(keyEnv, { meant, origin, allow });
}

/** The origins that the operator or the vendor has fixed for a variable; undefined where the first provider that names it decides. */
export function fixedOrigins(keyEnv: string, { variables }: KeyAccess): readonly string[] | undefined {
  const given = variables.find(({ pattern, origin }) => origin !== undefined && fits(keyEnv, pattern))?.origin;
  return given === undefined ? VENDORS.get(keyEnv) : [given];
}

/** The usual variable of a kind, which nobody named: its key goes to the vendor alone. */
export function usualKeyRefusal(keyEnv: string, baseUrl: string): string | undefined {
  const origin = originOf(baseUrl) ?? baseUrl;
  const meant = VENDORS.get(keyEnv) ?? [];
  if (meant.includes(origin)) return undefined;
  return `The key in ${keyEnv} belongs to ${meant[0]}, and is not sent to ${origin} unless that variable is named for it.`;
}

function isAllowed(keyEnv: string, { variables }: KeyAccess): boolean {
  return variables.some(({ pattern }) => fits(keyEnv, pattern));
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function otherHost(
  keyEnv: string,
  { meant, origin, allow }: { meant: readonly string[]; origin: string; allow: AllowHint },
): KeyRefusal {
  return {
    code: 'key_host_refused',
    message: `The key in ${keyEnv} belongs to ${meant[0]}, and is not sent to ${origin}.`,
    hint: `Put the key of ${origin} into a variable of its own, whose name begins with ${KEY_PREFIX}, or ${allow(`${keyEnv}=${origin}`)}.`,
  };
}

function badList(message: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_value',
    message: `The list of key variables can't be used: ${message}`,
    hint: 'For example: default,GATEWAY_KEY=https://gateway.example,TEAM_KEY_*',
  });
}
