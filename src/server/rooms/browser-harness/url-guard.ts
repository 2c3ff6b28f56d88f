/** Which addresses a provider may have on this server. */
import { assertPublicUrl } from '../../../store/index.ts';
import type { ServerContext } from '../../room.ts';

export function urlGuard({ allowLocalProviders }: Pick<ServerContext, 'allowLocalProviders'>) {
  return async (url: string): Promise<void> => {
    await assertPublicUrl(url, { allow: allowLocalProviders ? ['loopback'] : [] });
  };
}
