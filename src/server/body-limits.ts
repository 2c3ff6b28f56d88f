/**
 * Limits request bodies before anything is parsed: the size of each, the bytes of all uploads that are under way, and how deep JSON is nested.
 */
import type { Context, MiddlewareHandler, Next } from 'hono';
import { isNestedDeeper } from './json-depth.ts';
import { problem } from './problem.ts';
import { type AppEnv, MEGABYTE, type RouteModule } from './route-module.ts';
import { Slots } from './slots.ts';

const DEFAULT_LIMIT = MEGABYTE;
/** Of bodies that are being received or worked on. A body and what is made of it take several times its size in memory. */
const UNDER_WAY_LIMIT = 512 * MEGABYTE;
/** Far more than any request needs; a recursive reader of the parsed value has no trouble with it. */
const MOST_LEVELS = 100;

export function bodyLimits(
  routeModules: readonly RouteModule[],
  underWay = new Slots(UNDER_WAY_LIMIT),
): MiddlewareHandler<AppEnv> {
  const byPath = routeModules
    .flatMap(({ bodyLimits = {} }) => Object.entries(bodyLimits))
    .sort(([a], [b]) => b.length - a.length);
  return async (c, next) => {
    const special = byPath.find(([path]) => c.req.path === path || c.req.path.startsWith(`${path}/`));
    const limit = special?.[1] ?? DEFAULT_LIMIT;
    const { headers } = c.req.raw;
    const announced = headers.has('transfer-encoding') ? null : headers.get('content-length');
    if (announced !== null && Number(announced) > limit) return tooLarge(limit);
    if (!c.req.raw.body) return next();
    // A body without a length holds what has arrived of it.
    const held: (() => void)[] = [];
    const hold = (bytes: number): boolean => {
      const giveBack = underWay.take(bytes);
      if (giveBack) held.push(giveBack);
      return giveBack !== undefined;
    };
    try {
      const refusal =
        announced === null ? await readWithin(c, limit, hold) : hold(Number(announced)) ? undefined : tooMany();
      return refusal ?? (await receive(c, next));
    } finally {
      for (const giveBack of held) giveBack();
    }
  };
}

async function receive(c: Context<AppEnv>, next: Next): Promise<Response | undefined> {
  const type = c.req.header('content-type') ?? '';
  if (/^application\/json\b/i.test(type) && isNestedDeeper(await c.req.text(), MOST_LEVELS)) return tooDeep();
  await next();
  return undefined;
}

/** hono's own `bodyLimit` copies a request without a content length, and Node refuses to copy the lightweight requests of our HTTP server. */
async function readWithin(
  c: Context<AppEnv>,
  limit: number,
  hold: (bytes: number) => boolean,
): Promise<Response | undefined> {
  const { url, method, headers, signal, body } = c.req.raw;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) return tooLarge(limit);
    if (!hold(chunk.length)) return tooMany();
    chunks.push(chunk);
  }
  c.req.raw = new Request(url, { method, headers, signal, body: size === 0 ? null : Buffer.concat(chunks) });
  return undefined;
}

/** The rest of the body is not read, so the connection can't be used again. */
const CLOSE = { connection: 'close' };

function tooLarge(bytes: number): Response {
  return problem({
    code: 'payload_too_large',
    detail: `The request is larger than ${bytes.toLocaleString('en-US')} bytes.`,
    headers: CLOSE,
  });
}

function tooMany(): Response {
  return problem({
    code: 'too_many_uploads',
    detail: 'The server is receiving as many uploads as it takes at once.',
    hint: 'Send this one again in a few seconds.',
    headers: { ...CLOSE, 'retry-after': '5' },
  });
}

function tooDeep(): Response {
  return problem({
    code: 'json_too_deep',
    detail: `The JSON of the request is nested deeper than ${MOST_LEVELS} levels.`,
  });
}
