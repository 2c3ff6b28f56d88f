/**
 * Server-sent events from a source that can be read again: an id on each, and whoever comes back with `Last-Event-ID`
 * misses nothing.
 */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { WaymarkError } from '../errors/index.ts';

export interface StreamEvent {
  id: number;
  event: string;
  data: unknown;
}

export interface EventSourceOf {
  /** Where to begin, told as a first event; without one, after what the reader has seen, and else from the first. */
  begin?: (seen: number | undefined) => Promise<StreamEvent | undefined>;
  /** What came after an id, oldest first, at most so many. */
  since: (id: number, max: number) => Promise<StreamEvent[]>;
  /** Calls back when there may be more. Resolves with how to stop that. */
  subscribe: (wake: () => void) => Promise<() => void>;
}

export interface EventStreamOptions {
  stopping: AbortSignal;
  heartbeatMs?: number;
}

const HEARTBEAT_MS = 15_000;
const BATCH = 200;
/** What the browser waits before it comes back. */
const RETRY_MS = 2_000;

export function eventStream(c: Context, source: EventSourceOf, options: EventStreamOptions): Response {
  const seen = wholeNumber(c.req.header('last-event-id') ?? c.req.query('after'), 'Last-Event-ID');
  const limit = wholeNumber(c.req.query('limit'), 'limit') ?? Number.POSITIVE_INFINITY;
  c.header('x-accel-buffering', 'no');
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const ended = AbortSignal.any([gone.signal, options.stopping]);
    const bell = makeBell(ended, options.heartbeatMs ?? HEARTBEAT_MS);
    // Before the first look: what comes between the two rings the bell.
    const unsubscribe = await source.subscribe(bell.ring);
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
        // The quarter minute also looks again by itself: a bell that was not heard costs that long.
        if ((await bell.wait()) === 'quiet') await stream.write(': still here\n\n');
      }
    } finally {
      unsubscribe();
    }
  });
}

/** Rings are never lost: one before the wait ends it at once. */
function makeBell(ended: AbortSignal, quietMs: number) {
  let rung = false;
  let wake: (() => void) | undefined;
  const ring = () => {
    rung = true;
    wake?.();
  };
  ended.addEventListener('abort', ring, { once: true });
  const wait = async (): Promise<'rung' | 'quiet'> => {
    if (!rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, quietMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    }
    const how = rung ? 'rung' : 'quiet';
    rung = false;
    return how;
  };
  return { ring, wait };
}

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text)) return value;
  throw new WaymarkError({
    code: 'request_invalid',
    message: `${name} is a whole number.`,
    issues: [{ path: name, code: 'invalid_number', message: `"${text.slice(0, 50)}" is not one` }],
  });
}
