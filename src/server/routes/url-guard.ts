/** Which addresses a provider may have on this server, and which ones its name stands for now: those are called, and no others. */
import type { LookupAddress } from 'node:dns';
import { assertPublicUrl } from '../../net/index.ts';
import type { ServerContext } from '../route-module.ts';

type Allowed = Pick<ServerContext, 'allowLocalProviders' | 'allowProviderHosts'>;

export function urlGuard({ allowLocalProviders, allowProviderHosts: hosts = [] }: Allowed) {
  const allow = allowLocalProviders ? (['loopback'] as const) : [];
  return async (url: string): Promise<readonly LookupAddress[]> => {
    const { addresses } = await assertPublicUrl(url, { allow, hosts });
    return addresses;
  };
}
