/** How much a request may bring, judged before anything is parsed. */
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { problem } from './problem.ts';
import { type AppEnv, MEGABYTE, type Room } from './room.ts';

export const DEFAULT_LIMIT = MEGABYTE;

export function bodyLimits(rooms: readonly Room[]): MiddlewareHandler<AppEnv> {
  const byPath = rooms
    .flatMap(({ bodyLimits = {} }) => Object.entries(bodyLimits))
    .sort(([a], [b]) => b.length - a.length)
    .map(([path, bytes]) => ({ path, limit: limitTo(bytes) }));
  const usual = limitTo(DEFAULT_LIMIT);
  return (c, next) => {
    const special = byPath.find(({ path }) => c.req.path === path || c.req.path.startsWith(`${path}/`));
    return (special?.limit ?? usual)(c, next);
  };
}

function limitTo(bytes: number): MiddlewareHandler<AppEnv> {
  return bodyLimit({
    maxSize: bytes,
    onError: () =>
      problem({
        status: 413,
        code: 'payload_too_large',
        detail: `The request is larger than ${bytes.toLocaleString('en-US')} bytes.`,
        // What is still under way is not read: the connection can't be used again.
        headers: { connection: 'close' },
      }),
  });
}
