/** Runs the server: opens the port, starts the workers, and stops both cleanly. */
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { KeyAccess } from '../models/index.ts';
import { listen } from '../net/index.ts';
import type { Artifacts, Queue, Store } from '../store/index.ts';
import { type AccessOptions, decideAccess } from './access.ts';
import { createApp } from './app.ts';
import { drainable } from './drain.ts';
import type { RouteModule, ServerContext } from './route-module.ts';
import { routeModules as registered } from './route-modules.ts';

export interface ServerOptions extends AccessOptions {
  /** 0: any free port. */
  port: number;
  store: Store;
  queue: Queue;
  artifacts: Artifacts;
  version: string;
  routeModules?: readonly RouteModule[];
  webFolder?: string | undefined;
  allowLocalProviders?: boolean;
  allowProviderHosts?: readonly string[] | undefined;
  keyAccess?: KeyAccess | undefined;
  log?: (line: string) => void;
  /** How long active requests may take when the server stops. */
  drainMs?: number;
}

export interface RunningServer {
  /** The address without the token. */
  url: string;
  port: number;
  /** Answers active requests, returns jobs to the queue and stops the queue. The caller closes the store. */
  stop(): Promise<void>;
}

const DRAIN_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, queue, artifacts, version, routeModules = registered, log = () => undefined } = options;
  const access = decideAccess(options);
  const stopping = new AbortController();
  const context: ServerContext = {
    store,
    queue,
    artifacts,
    version,
    allowLocalProviders: options.allowLocalProviders ?? false,
    allowProviderHosts: options.allowProviderHosts,
    keyAccess: options.keyAccess,
    stopping: stopping.signal,
    log,
  };
  for (const module of routeModules) await module.start?.(context);
  const app = createApp({ ...context, access, routeModules, webFolder: options.webFolder });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  // Node's default is five seconds. A connection that is closed while its next request arrives loses a POST (seen: an import, while
  // the embedded database kept the process busy).
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const drain = drainable(server);
  const port = await listen(server, options.host, options.port);
  let stopped: Promise<void> | undefined;
  return {
    url: `http://${urlHost(options.host)}:${port}/`,
    port,
    stop: () => {
      stopped ??= (async () => {
        stopping.abort();
        await drain(options.drainMs ?? DRAIN_MS);
        await queue.stop();
      })();
      return stopped;
    },
  };
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
