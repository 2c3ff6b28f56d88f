/** Ends the browsers and the tool servers that killed runs left behind; the process registry and the folders of the servers name them. */
import { someOf } from '../../errors/index.ts';
import type { Check } from './check.ts';

export function checkOrphans(
  reapBrowsers: () => readonly { pids: readonly number[] }[],
  reapServers: () => readonly string[],
): Check {
  const row = { id: 'orphans', title: 'Leftovers', required: true } as const;
  try {
    const browsers = reapBrowsers();
    const servers = reapServers();
    const processes = browsers.flatMap(({ pids }) => pids).length;
    const parts = [
      ...(browsers.length === 0 ? [] : [`profiles removed ${browsers.length}, processes ended ${processes}`]),
      ...(servers.length === 0 ? [] : [`tool servers ended ${servers.length} (${someOf(servers, 3)})`]),
    ];
    const found =
      parts.length === 0
        ? 'no browsers or tool servers of killed runs'
        : `cleaned up after killed runs: ${parts.join('; ')}`;
    return {
      ...row,
      status: 'ok',
      found,
      details: { profiles: browsers.length, processes, servers: servers.join(', ') },
    };
  } catch {
    // The row of the state folder shows the reason.
    return {
      ...row,
      status: 'warning',
      found: 'unknown: the process registry could not be read',
      fix: 'See the row of the state folder.',
    };
  }
}
