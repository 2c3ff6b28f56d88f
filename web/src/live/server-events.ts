/**
 * Reads server-sent events without an EventSource, which receives only the event names that it was registered for, and ours are an open list.
 * It reconnects by itself, with `Last-Event-ID`, so that no event is missed or received twice.
 */
import { problemOf } from '../../../src/server/client.ts';

export interface ServerEvent {
  id: number;
  event: string;
  data: unknown;
}

export type LinkState = 'connecting' | 'live' | 'lost';

export interface Listener {
  onEvents: (events: ServerEvent[]) => void;
  onState?: (state: LinkState) => void;
}

const RETRY_MS = 2_000;

/** Ends when the signal does, or when the server refuses. */
export async function listen(url: string, { onEvents, onState }: Listener, signal: AbortSignal): Promise<void> {
  let last: number | undefined;
  while (!signal.aborted) {
    onState?.(last === undefined ? 'connecting' : 'lost');
    try {
      const response = await fetch(url, {
        headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': String(last) }) },
        signal,
      });
      if (response.status >= 400 && response.status < 500) throw await problemOf(response);
      if (response.ok && response.body) {
        onState?.('live');
        for await (const events of chunksOf(response.body)) {
          last = events.at(-1)?.id ?? last;
          onEvents(events);
        }
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (thrown instanceof Error && thrown.name === 'ApiProblem') throw thrown;
    }
    if (!signal.aborted) onState?.('lost');
    await pause(RETRY_MS, signal);
  }
}

/** The events of each piece that arrives, together. */
async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent[]> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    const events = blocks.map(parseEvent).filter((event) => event !== undefined);
    if (events.length > 0) yield events;
  }
}

/** Undefined for comments and the like. */
export function parseEvent(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: Number(fields.get('id') ?? 0), event: fields.get('event') ?? 'message', data: JSON.parse(data) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
