/** What a request is, seen from a session. */

/** A request that gets no answer for this long is a fault of the browser, whatever the caller forgot to say. */
export const DEFAULT_TIMEOUT_MS = 30_000;

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** The side of a connection that a session needs. */
export interface Requester {
  readonly isOpen: boolean;
  request(sessionId: string, method: string, params: unknown, options?: RequestOptions): Promise<never>;
}
