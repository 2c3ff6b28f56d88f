/**
 * Reads just enough of a frame to route it.
 * Chromium starts an answer with `{"id":7,…` and writes a top-level `"sessionId"` last. Both are read without parsing the frame,
 * which may be megabytes that only pass through the gate. A proxy may write its messages in another order;
 * `asChromiumWrites` restores Chromium's order.
 */

const ANSWER = '{"id":';
const TAIL = /,"sessionId":"([0-9A-Za-z]+)"\}$/;
/** The longest tail that can hold a session id (32 hex digits today) and its key. */
const TAIL_BYTES = 96;

export interface FrameHead {
  /** The answer's id, or undefined for an event. */
  id: number | undefined;
  /** '' means the browser's own session. */
  sessionId: string;
}

export function readHead(frame: Buffer): FrameHead {
  return { id: readId(frame), sessionId: readSessionId(frame) };
}

export function readId(frame: Buffer): number | undefined {
  const head = frame.toString('latin1', 0, 24);
  if (!head.startsWith(ANSWER)) return undefined;
  const id = Number.parseInt(head.slice(ANSWER.length), 10);
  return Number.isNaN(id) ? undefined : id;
}

export function readSessionId(frame: Buffer): string {
  const tail = frame.toString('latin1', Math.max(0, frame.length - TAIL_BYTES));
  return TAIL.exec(tail)?.[1] ?? '';
}

/** How Chromium begins its answers and events. */
const WRITTEN_BY_CHROMIUM = /^\{(?:"id":\d+,"(?:result|error)":|"method":"[^"]+","params":)/;

/** Returns the frame itself when it starts as Chromium starts it, and otherwise the same message in Chromium's order. Throws when it is not a message. */
export function asChromiumWrites(frame: Buffer): Buffer {
  if (WRITTEN_BY_CHROMIUM.test(frame.toString('latin1', 0, 200))) return frame;
  const { id, method, params, result, error, sessionId } = JSON.parse(frame.toString()) as Record<string, unknown>;
  const body = method === undefined ? { id, result: error ? undefined : (result ?? {}), error } : { method, params };
  return Buffer.from(JSON.stringify({ ...body, sessionId }));
}

/** The same answer under another id. The rest of its bytes is unchanged. */
export function withId(frame: Buffer, id: number): Buffer {
  const comma = frame.indexOf(0x2c);
  return Buffer.concat([Buffer.from(`${ANSWER}${id}`), frame.subarray(comma)]);
}
