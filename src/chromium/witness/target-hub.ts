/**
 * Receives the announcements of a browser's targets. It attaches to every page and service worker before they run, and passes each
 * to the witness of its context. Targets without a witness are resumed and detached.
 */
import type { Connection } from '../cdp/connection.ts';
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';

export interface ContextListener {
  onTarget(session: Session, info: Protocol.Target.TargetInfo): void;
  onTargetChanged(info: Protocol.Target.TargetInfo): void;
  onDownloadBegin(event: Protocol.Browser.DownloadWillBeginEvent): boolean;
  onDownloadProgress(event: Protocol.Browser.DownloadProgressEvent): void;
}

const WATCHED = new Set(['page', 'service_worker', 'shared_worker']);

export class TargetHub {
  readonly connection: Connection;
  readonly #listeners = new Map<string, ContextListener>();
  readonly #privately = new Map<string, (session: Session) => void>();

  private constructor(connection: Connection) {
    this.connection = connection;
    const { root } = connection;
    root.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => this.#onAttached(sessionId, targetInfo));
    root.on('Target.detachedFromTarget', ({ sessionId }) => connection.forget(sessionId, 'its page is gone'));
    root.on('Target.targetInfoChanged', ({ targetInfo }) => this.#listenerOf(targetInfo)?.onTargetChanged(targetInfo));
    root.on('Browser.downloadWillBegin', (event) => {
      // The event names a frame but no context, so the context whose page holds the frame takes it.
      for (const listener of this.#listeners.values()) if (listener.onDownloadBegin(event)) return;
    });
    root.on('Browser.downloadProgress', (event) => {
      for (const listener of this.#listeners.values()) listener.onDownloadProgress(event);
    });
  }

  static async start(connection: Connection): Promise<TargetHub> {
    const hub = new TargetHub(connection);
    await Promise.all([
      connection.root.send('Target.setDiscoverTargets', { discover: true }),
      connection.root.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    ]);
    return hub;
  }

  listen(contextId: string, listener: ContextListener): void {
    this.#listeners.set(contextId, listener);
  }

  unlisten(contextId: string): void {
    this.#listeners.delete(contextId);
  }

  /**
   * Opens a page of the harness that the context's witness does not see. Only for contexts that are not in use: the next page
   * to appear there is taken for it, because its id is known only after it has been announced.
   */
  async openPrivately(contextId: string): Promise<{ session: Session; targetId: string }> {
    const { promise, resolve } = Promise.withResolvers<Session>();
    this.#privately.set(contextId, resolve);
    try {
      const [{ targetId }, session] = await Promise.all([
        this.connection.root.send('Target.createTarget', { url: 'about:blank', browserContextId: contextId }),
        promise,
      ]);
      return { session, targetId };
    } finally {
      this.#privately.delete(contextId);
    }
  }

  #listenerOf(info: Protocol.Target.TargetInfo): ContextListener | undefined {
    return info.browserContextId === undefined ? undefined : this.#listeners.get(info.browserContextId);
  }

  #onAttached(sessionId: string, info: Protocol.Target.TargetInfo): void {
    // The gate's own sessions to the browser are announced here as well, and are left to the gate.
    if (info.type === 'browser') return;
    const session = this.connection.session(sessionId);
    const taker = info.type === 'page' ? this.#privately.get(info.browserContextId ?? '') : undefined;
    if (taker) return taker(session);
    const listener = this.#listenerOf(info);
    if (listener && WATCHED.has(info.type)) return listener.onTarget(session, info);
    // Attaching has paused the target. It must be resumed before detaching, or it stays frozen.
    // The target may be gone already.
    void Promise.all([
      session.send('Runtime.runIfWaitingForDebugger'),
      this.connection.root.send('Target.detachFromTarget', { sessionId }),
    ]).catch(() => {});
  }
}
