/** Limits the size of request bodies, before anything is parsed. */
import type { MiddlewareHandler } from 'hono';
import { problem } from './problem.ts';
import { type AppEnv, MEGABYTE, type RouteModule } from './route-module.ts';

const DEFAULT_LIMIT = MEGABYTE;

export function bodyLimits(routeModules: readonly RouteModule[]): MiddlewareHandler<AppEnv> {
  const byPath = routeModules
    .flatMap(({ bodyLimits = {} }) => Object.entries(bodyLimits))
    .sort(([a], [b]) => b.length - a.length)
    .map(([path, bytes]) => ({ path, limit: limitTo(bytes) }));
  const usual = limitTo(DEFAULT_LIMIT);
  return (c, next) => {
    const special = byPath.find(({ path }) => c.req.path === path || c.req.path.startsWith(`${path}/`));
    return (special?.limit ?? usual)(c, next);
  };
}

/** hono's own `bodyLimit` copies a request without a content length, and Node refuses to copy the lightweight requests of our HTTP server. */
function limitTo(bytes: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { raw } = c.req;
    const announced = raw.headers.has('transfer-encoding') ? null : raw.headers.get('content-length');
    if (announced !== null) return Number(announced) > bytes ? tooLarge(bytes) : next();
    if (!raw.body) return next();
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of raw.body) {
      size += chunk.length;
      if (size > bytes) return tooLarge(bytes);
      chunks.push(chunk);
    }
    const { url, method, headers, signal } = raw;
    c.req.raw = new Request(url, { method, headers, signal, body: size === 0 ? null : Buffer.concat(chunks) });
    return next();
  };
}

function tooLarge(bytes: number): Response {
  return problem({
    code: 'payload_too_large',
    detail: `The request is larger than ${bytes.toLocaleString('en-US')} bytes.`,
    // The rest of the body is not read, so the connection can't be used again.
    headers: { connection: 'close' },
  });
}
