/**
 * Reading just enough of a frame to know where it goes.
 * Chromium writes `{"id":7,…` for answers, and puts a top-level `"sessionId"` last: both are read without parsing the frame,
 * which may be megabytes that only pass through the gate. What comes through somebody else's proxy may be written otherwise:
 * `asChromiumWrites` puts it in that order.
 */

const ANSWER = '{"id":';
const TAIL = /,"sessionId":"([0-9A-Za-z]+)"\}$/;
/** Longest tail that can hold a session id (32 hex digits today) and its key. */
const TAIL_BYTES = 96;

export interface FrameHead {
  /** The answer's id, or undefined for an event. */
  id: number | undefined;
  /** '' is the browser's own session. */
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

/** The frame itself where it begins as Chromium begins it; otherwise the same message in Chromium's order. Throws for what is no message. */
export function asChromiumWrites(frame: Buffer): Buffer {
  if (WRITTEN_BY_CHROMIUM.test(frame.toString('latin1', 0, 200))) return frame;
  const { id, method, params, result, error, sessionId } = JSON.parse(frame.toString()) as Record<string, unknown>;
  const body = method === undefined ? { id, result: error ? undefined : (result ?? {}), error } : { method, params };
  return Buffer.from(JSON.stringify({ ...body, sessionId }));
}

/** The same answer under another id, the rest of its bytes untouched. */
export function withId(frame: Buffer, id: number): Buffer {
  const comma = frame.indexOf(0x2c);
  return Buffer.concat([Buffer.from(`${ANSWER}${id}`), frame.subarray(comma)]);
}
