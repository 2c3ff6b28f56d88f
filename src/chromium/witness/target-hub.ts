/**
 * Receives the announcements of a browser's targets. It attaches to every page and service worker before they run, and passes each
 * to the witness of its context. Targets without a witness are resumed and detached.
 */
import { WaymarkError } from '../../errors/index.ts';
import type { Connection } from '../cdp/connection.ts';
import type { Protocol } from '../cdp/protocol.ts';
import type { RequestOptions } from '../cdp/request.ts';
import type { Session } from '../cdp/session.ts';

export interface ContextListener {
  onTarget(session: Session, info: Protocol.Target.TargetInfo): void;
  onTargetChanged(info: Protocol.Target.TargetInfo): void;
  onDownloadBegin(event: Protocol.Browser.DownloadWillBeginEvent): boolean;
  onDownloadProgress(event: Protocol.Browser.DownloadProgressEvent): void;
}

/** A page that neither a witness nor a tool server sees. */
export interface PrivatePage {
  readonly session: Session;
  readonly targetId: string;
}

interface Announced {
  readonly session: Session;
  readonly info: Protocol.Target.TargetInfo;
}

const WATCHED = new Set(['page', 'service_worker', 'shared_worker']);

export class TargetHub {
  readonly connection: Connection;
  readonly #listeners = new Map<string, ContextListener>();
  /** By context: pages that were announced while a page of the harness is being opened there. */
  readonly #held = new Map<string, Announced[]>();

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

  /** Opens a page of the harness that the context's witness does not see. It is paused until it is told to run. */
  async openPrivately(contextId: string, options: RequestOptions = {}): Promise<PrivatePage> {
    // A page is announced before its id is known: what appears in the context in the meantime is held back, and handed on then.
    const held: Announced[] = [];
    const before = this.#held.get(contextId);
    this.#held.set(contextId, held);
    let targetId: string | undefined;
    try {
      const { root } = this.connection;
      const wanted = { url: 'about:blank', browserContextId: contextId };
      ({ targetId } = await root.send('Target.createTarget', wanted, options));
      const isIt = ({ info }: Announced): boolean => info.targetId === targetId;
      if (!held.some(isIt))
        await root.next('Target.attachedToTarget', (event) => event.targetInfo.targetId === targetId, options);
      const announced = held.find(isIt);
      if (!announced) throw new WaymarkError({ code: 'cdp_session_gone', message: 'The page of the harness is gone.' });
      return { session: announced.session, targetId };
    } finally {
      if (before) this.#held.set(contextId, before);
      else this.#held.delete(contextId);
      for (const { session, info } of held) if (info.targetId !== targetId) this.#handOn(session, info);
    }
  }

  #listenerOf(info: Protocol.Target.TargetInfo): ContextListener | undefined {
    return info.browserContextId === undefined ? undefined : this.#listeners.get(info.browserContextId);
  }

  #onAttached(sessionId: string, info: Protocol.Target.TargetInfo): void {
    // The gate's own sessions to the browser are announced here as well, and are left to the gate.
    if (info.type === 'browser') return;
    const session = this.connection.session(sessionId);
    const held = info.type === 'page' ? this.#held.get(info.browserContextId ?? '') : undefined;
    if (held) held.push({ session, info });
    else this.#handOn(session, info);
  }

  #handOn(session: Session, info: Protocol.Target.TargetInfo): void {
    const listener = this.#listenerOf(info);
    if (listener && WATCHED.has(info.type)) return listener.onTarget(session, info);
    // Attaching has paused the target. It must be resumed before detaching, or it stays frozen.
    // The target may be gone already.
    void Promise.all([
      session.send('Runtime.runIfWaitingForDebugger'),
      this.connection.root.send('Target.detachFromTarget', { sessionId: session.id }),
    ]).catch(() => {});
  }
}
