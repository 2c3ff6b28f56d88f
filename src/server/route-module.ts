/**
 * A route module adds its routes, workers and body limits to the server. A new one is a file in routes/ that `apiRoutes` mounts.
 * @example
 * export const notes: RouteModule = {
 *   name: 'notes',
 *   bodyLimits: { '/notes/import': 64 * MEGABYTE },
 *   router: ({ store }) => newRouter().openapi(listNotes, async (c) => c.json(await notesOf(store), 200)),
 *   start: async ({ queue }) => { await queue.define('notes.index'); await queue.work('notes.index', indexNote); },
 * };
 */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { KeyAccess } from '../models/index.ts';
import type { Artifacts, Queue, Store } from '../store/index.ts';
import { invalidRequest } from './problem.ts';

export const MEGABYTE = 1024 * 1024;

export interface ServerContext {
  store: Store;
  queue: Queue;
  artifacts: Artifacts;
  version: string;
  /** Whether models on this machine may be called. */
  allowLocalProviders: boolean;
  /** Hosts on this machine or on a private network that providers may have, by name. */
  allowProviderHosts?: readonly string[] | undefined;
  /** Which environment variables may hold keys of providers, and where each is sent. */
  keyAccess?: KeyAccess | undefined;
  /** Aborted when the server begins to stop: streams end and long work stops. */
  stopping: AbortSignal;
  /** Messages for the operator of the server. They are never part of a response. */
  log: (line: string) => void;
}

export interface AppEnv {
  Variables: { requestId: string; nonce: string };
}

export type Router = OpenAPIHono<AppEnv>;

export interface RouteModule {
  name: string;
  /** The largest request body in bytes, by path prefix. The default is one megabyte. */
  bodyLimits?: Readonly<Record<string, number>>;
  /** Mounted at the root, so its paths are absolute. */
  router?: (context: ServerContext) => Router;
  /** Defines queues and starts workers. Called before the first request. */
  start?: (context: ServerContext) => Promise<void>;
}

/** A router that answers malformed requests with the same problem format as all other routes. */
export function newRouter(): Router {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(result.error, result.target);
    },
  });
}
