/** A model as the command line names it, `kind:id`, and the provider that it is called at. Everything is checked here, before anything is called. */
import { WaymarkError } from '../errors/index.ts';
import type { ApiProvider } from './api-provider.ts';
import { usualKeyRefusal } from './key-access.ts';
import type { ModelChoice } from './open-model.ts';
import { DEFAULT_KEY_ENVS, MODEL_KINDS, type ModelKind, resolveBaseUrl } from './provider-kinds.ts';

export { MODEL_KINDS };

/** @example parseModelName('ollama:llama3.2:3b'); // => { kind: 'ollama', model: 'llama3.2:3b' } */
export function parseModelName(name: string): { kind: ModelKind; model: string } {
  const [prefix = '', ...rest] = name.split(':');
  const kind = MODEL_KINDS.find((known) => known === prefix);
  const model = rest.join(':').trim();
  if (kind !== undefined && model !== '') return { kind, model };
  throw badModel(
    kind === undefined ? `"${name}" does not name a kind of model.` : `"${name}" names no model.`,
    `Write kind:id, for example openai:gpt-5-mini. Kinds are: ${MODEL_KINDS.join(', ')}.`,
  );
}

/** @throws WaymarkError when its address is missing or is none, or when its key is not set or is not for this address. */
export function providerOf(
  { kind, baseUrl, keyEnv: named }: ModelChoice,
  env: Readonly<Record<string, string | undefined>>,
): ApiProvider {
  const keyEnv = named === undefined ? DEFAULT_KEY_ENVS[kind] : named;
  const address = resolveBaseUrl(kind, baseUrl);
  if (address === undefined)
    throw badModel(`A model of kind ${kind} needs the address that it is called at.`, 'Give it with --base-url.');
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw badModel(`"${address}" is not an http or https address.`, 'For example: --base-url http://127.0.0.1:8000/v1');
  const withheld = named === undefined && keyEnv !== null ? usualKeyRefusal(keyEnv, address) : undefined;
  if (withheld !== undefined) throw badModel(withheld, 'Name the variable with the key of that address by --key-env.');
  if (keyEnv !== null && !env[keyEnv])
    throw badModel(
      `The environment variable ${keyEnv} is not set: it holds the key of the ${kind} model. Nothing was run.`,
      'Set it, or name another variable with --key-env.',
    );
  return { id: kind, kind, baseUrl: address, keyEnv };
}

function badModel(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_model', message, hint });
}
