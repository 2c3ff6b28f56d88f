/** The sites of the suite: `waymark run` starts them before the tasks and stops them at the end. */
import { startSites } from './site/server.ts';

export default async function start() {
  const server = await startSites();
  return {
    resolverRules: server.hosts.map((host) => `MAP ${host} 127.0.0.1:${server.port}`).join(', '),
    allowHosts: server.hosts,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
