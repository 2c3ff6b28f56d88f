/** Opens a model that a run calls: its key, its kind and its address are checked before anything starts. */
import { WaymarkError } from '../errors/index.ts';
import {
  CallFailure,
  type CallLimits,
  type ModelChoice,
  type OpenedModel,
  openModel,
  systemContext,
} from '../models/index.ts';
import { assertPublicUrl } from '../net/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every call is bounded by the signal of its attempt. */
export async function openRunModel(
  choice: ModelChoice,
  env: Environment,
  limits: Partial<CallLimits>,
): Promise<OpenedModel> {
  const context = systemContext(new AbortController().signal, nearOrPublic, limits);
  try {
    return await openModel(choice, { ...context, env });
  } catch (cause) {
    if (!(cause instanceof CallFailure)) throw cause;
    const message = `The model ${choice.kind}:${choice.model} can't be used: ${cause.message} Nothing was run.`;
    throw new WaymarkError({ code: 'usage_model', message, hint: 'See docs/reference/providers.md.', cause });
  }
}

/** For addresses that the person who started the command has named: this machine and the private network are theirs. */
export async function nearOrPublic(url: string) {
  return (await assertPublicUrl(url, { allow: ['loopback', 'private'] })).addresses;
}
