/**
 * What a room brings to the server: its routes, its workers, its limits. A new one is a file in rooms/, and a line in rooms.ts.
 * @example
 * export const notes: Room = {
 *   name: 'notes',
 *   bodyLimits: { '/notes/import': 64 * MEGABYTE },
 *   router: ({ store }) => newRouter().openapi(listNotes, async (c) => c.json(await notesOf(store), 200)),
 *   start: async ({ queue }) => { await queue.define('notes.index'); await queue.work('notes.index', indexNote); },
 * };
 */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Artifacts, Queue, Store } from '../store/index.ts';
import { invalidRequest } from './problem.ts';

export const MEGABYTE = 1024 * 1024;

export interface ServerContext {
  store: Store;
  queue: Queue;
  artifacts: Artifacts;
  version: string;
  /** Models on this machine may be called. */
  allowLocalProviders: boolean;
  /** Aborted when the server begins to stop: streams end, long work lets go. */
  stopping: AbortSignal;
  /** For people who run the server; never for answers. */
  log: (line: string) => void;
}

export interface AppEnv {
  Variables: { requestId: string; nonce: string };
}

export type Router = OpenAPIHono<AppEnv>;

export interface RouteModule {
  name: string;
  /** Bytes that a request may bring, by the path that it begins with. Elsewhere: one megabyte. */
  bodyLimits?: Readonly<Record<string, number>>;
  /** Mounted at the root: paths are whole. */
  router?: (context: ServerContext) => Router;
  /** Queues and workers. Before the first request. */
  start?: (context: ServerContext) => Promise<void>;
}

/** A router whose refusals of malformed requests look like everybody's. */
export function newRouter(): Router {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(result.error, result.target);
    },
  });
}
