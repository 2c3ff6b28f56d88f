/**
 * New pages that a client of the gate has paused. Chromium starts a page as soon as one of its sessions resumes it, so the harness, which pauses every
 * new page as well, is the last to do so: a client that sets up a page while it is paused would otherwise miss its first events (Playwright then
 * waits forever for a load that is over).
 */

/** A client that never resumes a page holds it back no longer than this. */
const MAX_PAUSE_MS = 5_000;

export class PausedPages {
  /** The clients that pause new pages. */
  readonly #clients = new Set<object>();
  /** The sessions that have not resumed their page, by target id. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #resumed = new Map<string, PromiseWithResolvers<void>>();

  /** From now on, new pages may be paused by this client. */
  addClient(client: object): void {
    this.#clients.add(client);
  }

  removeClient(client: object): void {
    this.#clients.delete(client);
  }

  get hasClients(): boolean {
    return this.#clients.size > 0;
  }

  pause(targetId: string, sessionId: string): void {
    const waiting = this.#waiting.get(targetId);
    if (waiting) waiting.add(sessionId);
    else this.#waiting.set(targetId, new Set([sessionId]));
  }

  /** The session has resumed its page, or is gone. */
  resume(targetId: string, sessionId: string): void {
    const waiting = this.#waiting.get(targetId);
    if (!waiting?.delete(sessionId) || waiting.size > 0) return;
    this.#waiting.delete(targetId);
    this.#resumed.get(targetId)?.resolve();
    this.#resumed.delete(targetId);
  }

  /** Resolves when no client holds the page back any more. */
  async untilResumed(targetId: string): Promise<void> {
    if (!this.#waiting.has(targetId)) return;
    const resumed = this.#resumed.get(targetId) ?? Promise.withResolvers<void>();
    this.#resumed.set(targetId, resumed);
    const timer = setTimeout(() => resumed.resolve(), MAX_PAUSE_MS);
    await resumed.promise.finally(() => clearTimeout(timer));
  }
}
