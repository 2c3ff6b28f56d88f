/** What the preflight of a launch or of a pack says about keys that the server does not have. */
import { keyProblem, systemContext } from '../../models/index.ts';
import { callableProvider, providerRef } from '../../store/index.ts';
import type { Blocker } from './preflight.ts';
import type { RouteContext } from './route-context.ts';
import { urlGuard } from './url-guard.ts';

export interface AskedProviders {
  /** Of the model that would answer. */
  provider_id?: string | undefined;
  judge?: { provider_id: string } | null | undefined;
}

/** A blocker for each provider whose key is not set, or may not be used; a provider that is not there is refused elsewhere. */
export async function keyBlockers(context: RouteContext, { provider_id, judge }: AskedProviders): Promise<Blocker[]> {
  const { env, keyAccess } = systemContext(context.stopping, urlGuard(context), {}, context.keyAccess);
  const blockers: Blocker[] = [];
  for (const [id, code] of [
    [provider_id, ''],
    [judge?.provider_id, 'judge_'],
  ] as const) {
    if ((await providerRef(context.store.db, id))?.surface !== 'api' || id === undefined) continue;
    const problem = keyProblem(await callableProvider(context.store.db, id), { env, keyAccess });
    if (!problem) continue;
    const whose = code === '' ? '' : 'The judge can’t be asked. ';
    const fix = problem.code === 'key_missing' ? 'Set it, and start the server again.' : null;
    blockers.push({ code: `${code}${problem.code}`, message: `${whose}${problem.message}`, fix });
  }
  return blockers;
}
