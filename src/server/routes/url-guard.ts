/** Which addresses a provider may have on this server, and which ones its name stands for now: those are called, and no others. */
import type { LookupAddress } from 'node:dns';
import { assertPublicUrl } from '../../net/index.ts';
import type { ServerContext } from '../route-module.ts';

export function urlGuard({ allowLocalProviders }: Pick<ServerContext, 'allowLocalProviders'>) {
  return async (url: string): Promise<readonly LookupAddress[]> => {
    const { addresses } = await assertPublicUrl(url, { allow: allowLocalProviders ? ['loopback'] : [] });
    return addresses;
  };
}
