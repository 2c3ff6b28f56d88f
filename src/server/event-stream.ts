/**
 * Server-sent events from a source that can be read again. Each event has an id, and a client that reconnects with `Last-Event-ID`
 * misses nothing.
 */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { WaymarkError } from '../errors/index.ts';
import { problem } from './problem.ts';
import type { AppEnv } from './route-module.ts';

export interface StreamEvent {
  id: number;
  event: string;
  data: unknown;
}

export interface EventSourceOf {
  /** Where to start, sent as a first event. Without it, the stream starts after the last event that the reader has seen, or at the first event. */
  begin?: (seen: number | undefined) => Promise<StreamEvent | undefined>;
  /** The events after an id, oldest first, up to a limit. */
  since: (id: number, max: number) => Promise<StreamEvent[]>;
  /** Calls the listener when there may be more events. Resolves with a function that unsubscribes. */
  subscribe: (wake: () => void) => Promise<() => void>;
}

export interface EventStreamOptions {
  stopping: AbortSignal;
  heartbeatMs?: number;
}

const HEARTBEAT_MS = 15_000;
const BATCH = 200;
/** How long the browser waits before it reconnects. */
const RETRY_MS = 2_000;

export function eventStream(c: Context<AppEnv>, source: EventSourceOf, options: EventStreamOptions): Response {
  const seen = wholeNumber(c.req.header('last-event-id') ?? c.req.query('after'), 'Last-Event-ID');
  const limit = wholeNumber(c.req.query('limit'), 'limit') ?? Number.POSITIVE_INFINITY;
  // Nobody would read the stream, and so nobody would ever end it.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' });
  const giveBack = c.get('streams').take();
  if (!giveBack) return tooManyStreams();
  c.header('x-accel-buffering', 'no');
  return streamSSE(c, async (stream) => {
    using _slot = { [Symbol.dispose]: giveBack };
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const ended = AbortSignal.any([gone.signal, options.stopping]);
    const signal = wakeUpSignal(ended, options.heartbeatMs ?? HEARTBEAT_MS);
    // Subscribed before the first read, so that an event between the two is not missed.
    const unsubscribe = await source.subscribe(signal.wakeUp);
    try {
      await stream.write(`retry: ${RETRY_MS}\n\n`);
      let last = seen ?? 0;
      let left = limit;
      const send = async ({ id, event, data }: StreamEvent) => {
        await stream.writeSSE({ id: String(id), event, data: JSON.stringify(data) });
        last = id;
        left -= 1;
      };
      const first = await source.begin?.(seen);
      if (first) await send(first);
      while (!ended.aborted && left > 0) {
        const events = await source.since(last, Math.min(BATCH, left));
        for (const event of events) await send(event);
        if (events.length > 0) continue;
        // The source is also read again after each heartbeat, so a lost wake-up costs at most that long.
        if ((await signal.wait()) === 'quiet') await stream.write(': still here\n\n');
      }
    } finally {
      unsubscribe();
    }
  });
}

function tooManyStreams(): Response {
  return problem({
    code: 'too_many_streams',
    detail: 'The server has as many event streams open as it takes at once.',
    hint: 'Close other pages that follow runs, or ask again later.',
    headers: { 'retry-after': '10' },
  });
}

/** A wake-up is never lost: one that comes before the wait ends the wait at once. */
function wakeUpSignal(ended: AbortSignal, quietMs: number) {
  let woken = false;
  let wake: (() => void) | undefined;
  const wakeUp = () => {
    woken = true;
    wake?.();
  };
  ended.addEventListener('abort', wakeUp, { once: true });
  const wait = async (): Promise<'woken' | 'quiet'> => {
    if (!woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, quietMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    }
    const how = woken ? 'woken' : 'quiet';
    woken = false;
    return how;
  };
  return { wakeUp, wait };
}

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text)) return value;
  throw new WaymarkError({
    code: 'request_invalid',
    message: `${name} must be a whole number.`,
    issues: [{ path: name, code: 'invalid_number', message: `"${text.slice(0, 50)}" is not one` }],
  });
}
