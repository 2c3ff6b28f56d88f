/** The types of a request, as a session uses them. */

/** The default deadline. A browser that does not answer for this long is at fault. */
export const DEFAULT_TIMEOUT_MS = 30_000;

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** The part of a connection that a session needs. */
export interface Requester {
  readonly isOpen: boolean;
  request(sessionId: string, method: string, params: unknown, options?: RequestOptions): Promise<never>;
}
