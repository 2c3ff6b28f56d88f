/** The keys that a variant's file names. A file may come from anybody: it may not choose which variables are read, nor send a key to another host. */
import { presetKeyVariable } from '../agents/index.ts';
import { WaymarkError } from '../errors/index.ts';
import {
  fixedOrigins,
  type KeyAccess,
  keyRefusal,
  keyVariableOf,
  type ModelChoice,
  originOf,
  parseKeyVariables,
  resolveBaseUrl,
} from '../models/index.ts';

/** Allows further keys to be named in files, as `waymark serve --key-variables` does for providers. */
const KEY_VARIABLES = 'WAYMARK_KEY_VARIABLES';

type Model = string | ModelChoice | undefined;

interface NamesKeys {
  readonly model?: Model;
  readonly orchestratorModel?: Model;
  readonly executorModel?: Model;
  readonly external?:
    | {
        readonly preset?: string | undefined;
        readonly keyEnv?: string | undefined;
        readonly baseUrl?: string | undefined;
      }
    | undefined;
}

/** @throws WaymarkError usage_model, with what to do. */
export function assertVariantKeys(
  file: string,
  { model, orchestratorModel, executorModel, external }: NamesKeys,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const access = parseKeyVariables(env[KEY_VARIABLES]);
  for (const chosen of [model, orchestratorModel, executorModel]) {
    if (typeof chosen !== 'object') continue;
    const baseUrl = resolveBaseUrl(chosen.kind, chosen.baseUrl);
    assertKey(file, { keyEnv: keyVariableOf(chosen), baseUrl }, access);
  }
  // The command of an agent without a preset is a program of the file: what it does with its variables is not checked here.
  if (external?.preset === undefined) return;
  const keyEnv = external.keyEnv ?? presetKeyVariable(external.preset);
  assertKey(file, { keyEnv, baseUrl: external.baseUrl }, access);
}

function assertKey(
  file: string,
  { keyEnv, baseUrl }: { keyEnv: string | null; baseUrl: string | undefined },
  access: KeyAccess,
): void {
  if (keyEnv === null) return;
  const origins = fixedOrigins(keyEnv, access);
  // Without an address, a preset calls its own vendor: whether the variable may be a key is asked all the same.
  const address = baseUrl ?? origins?.[0] ?? '';
  const allow = (entry: string) => `set ${KEY_VARIABLES} to default,${entry}`;
  const refusal = keyRefusal({ keyEnv, baseUrl: address, boundTo: null }, access, allow);
  if (refusal) throw refused(file, refusal.message, refusal.hint);
  if (origins || baseUrl === undefined) return;
  const origin = originOf(baseUrl) ?? baseUrl;
  throw refused(
    file,
    `The key in ${keyEnv} is bound to no address, and a file can't decide that it is sent to ${origin}.`,
    `Name the model by --model, --base-url and --key-env, or ${allow(`${keyEnv}=${origin}`)}.`,
  );
}

function refused(file: string, message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_model', message: `The variant ${file} can't be used: ${message}`, hint });
}
