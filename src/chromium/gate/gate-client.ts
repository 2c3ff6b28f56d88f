/**
 * One connection of a tool server through the gate, to the browser or to one page. It has its own browser-level session
 * (`Target.attachToBrowserTarget`), so that its discovery and auto-attach settings are its own. Commands are checked, events of the browser are
 * filtered, and page traffic passes as bytes.
 */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import type { Connection } from '../cdp/connection.ts';
import { withId } from '../cdp/frame.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { usesClipboard } from '../clipboard/clipboard-keys.ts';
import { BrowserOsTabs } from './browseros-tabs.ts';
import type { GateHooks } from './gate-hooks.ts';
import {
  announcesBrowser,
  asWithAWindow,
  BROWSER_TARGET,
  DIALOG_EVENT,
  FILTERED_EVENT,
  type Incoming,
  isOfBrowser,
  MALFORMED,
  parseCommand,
  type RootMessage,
  withoutSession,
} from './gate-messages.ts';
import { checkCommand, domainOf, type GateView, isDriving, type Verdict } from './rules.ts';

/** A server that does not read its answers is disconnected before it fills the memory. */
const MAX_BUFFERED = 256 * 1024 * 1024;

/** How long connecting or disconnecting a server may wait for the browser. */
const BROWSER_TIMEOUT_MS = 3_000;

/** How many contexts a server may have at a time beside that of the episode. */
const MAX_CONTEXTS = 32;

/** What a session is attached to. */
interface Attached {
  targetId: string;
  contextId: string;
  /** A further session at browser level. */
  isBrowser: boolean;
}

export interface GateClientOptions {
  socket: WebSocket;
  connection: Connection;
  contextId: string;
  hooks: GateHooks;
  extraDomains: ReadonlySet<string>;
  /** For a connection to one page: messages without a session id go to this target. */
  pageId?: string | undefined;
}

export class GateClient {
  readonly #socket: WebSocket;
  readonly #connection: Connection;
  readonly #browserSession: string;
  readonly #hooks: GateHooks;
  readonly #view: GateView;
  /** The sessions of this client. */
  readonly #sessions = new Map<string, Attached>();
  /** The targets that this client may name, each with its context. */
  readonly #targets = new Map<string, string>();
  /** The target of the browser, as this client sees it. Chromium has one for each client of the browser, so the real ones would show the others. */
  readonly #browserTarget = { ...BROWSER_TARGET, targetId: randomUUID() };
  readonly #windows = new Set<number>();
  readonly #tabs = new BrowserOsTabs();
  readonly #downloads = new Set<string>();
  /** Commands without an answer yet, by the connection's ids. A closed page never answers. */
  readonly #pending = new Set<number>();
  /** What the server sent while a key of it waits for the clipboard: commands keep their order. */
  #held: Buffer[] | undefined;
  /** The contexts that end with this connection. */
  readonly #contextsToDispose = new Set<string>();
  /** Whether this is a connection to one page, which has no events of the browser. */
  readonly #isOfPage: boolean;
  #pageSession: string | undefined;
  #unwatch: () => void;
  #ended = false;

  private constructor(browserSession: string, options: GateClientOptions) {
    const { socket, connection, contextId, hooks, extraDomains } = options;
    this.#socket = socket;
    this.#connection = connection;
    this.#browserSession = browserSession;
    this.#hooks = hooks;
    this.#isOfPage = options.pageId !== undefined;
    this.#view = {
      contextId,
      ownContexts: hooks.ownContexts,
      contextOf: (id) => this.#sessions.get(id)?.contextId ?? contextId,
      extraDomains,
      hasTarget: (id) => this.#targets.has(id),
      browserTarget: this.#browserTarget,
      hasSession: (id) => this.#sessions.has(id),
      hasWindow: (id) => this.#windows.has(id),
    };
    connection.route(browserSession, (frame) => this.#onBrowserEvent(frame, browserSession));
    this.#unwatch = connection.onLost(() => this.#socket.close(1001, 'the browser is gone'));
  }

  static async start(options: GateClientOptions): Promise<GateClient> {
    const { socket, connection, pageId } = options;
    // Messages of the server wait in its socket in the meantime.
    socket.pause();
    try {
      const { root } = connection;
      const timeoutMs = BROWSER_TIMEOUT_MS;
      const { sessionId } = await root.send('Target.attachToBrowserTarget', undefined, { timeoutMs });
      const client = new GateClient(sessionId, options);
      // The server may name an existing target before it is announced (a tab id that it got from the harness).
      const { targetInfos } = await root.send('Target.getTargets', {}, { timeoutMs });
      for (const info of targetInfos) if (client.#isOurs(info)) client.#learnTarget(info);
      if (pageId !== undefined) await client.#attachToPage(pageId);
      socket.on('message', (data: Buffer) => client.#onCommand(data));
      return client;
    } finally {
      socket.resume();
    }
  }

  /** Releases everything that this client held. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#unwatch();
    const { pausedPages } = this.#connection;
    pausedPages.removeClient(this);
    for (const [sessionId, { targetId }] of this.#sessions) {
      this.#connection.unroute(sessionId);
      pausedPages.resume(targetId, sessionId);
    }
    this.#connection.unroute(this.#browserSession);
    this.#connection.abandon(this.#pending);
    if (!this.#connection.isOpen) return;
    // Pages that wait for this client's debugger are resumed when its session ends.
    const options = { timeoutMs: BROWSER_TIMEOUT_MS };
    // The browser may have ended the session already.
    await this.#connection.root
      .send('Target.detachFromTarget', { sessionId: this.#browserSession }, options)
      .catch(() => {});
    for (const contextId of this.#contextsToDispose) await this.#dispose(contextId).catch(() => {});
  }

  async #attachToPage(targetId: string): Promise<void> {
    if (!this.#targets.has(targetId))
      throw new WaymarkError({ code: 'cdp_session_gone', message: 'The page is gone.' });
    const options = { timeoutMs: BROWSER_TIMEOUT_MS };
    const params = { targetId, flatten: true };
    const attached: { sessionId: string } = await this.#connection.request(
      this.#browserSession,
      'Target.attachToTarget',
      params,
      options,
    );
    const { sessionId } = attached;
    this.#pageSession = sessionId;
    this.#learnSession(sessionId, targetId);
  }

  #onCommand(data: Buffer): void {
    if (this.#ended) return;
    if (this.#held) {
      this.#held.push(data);
      return;
    }
    const message = parseCommand(data);
    if ('wrong' in message) {
      return this.#send(JSON.stringify({ id: message.wrong, error: { code: -32700, message: MALFORMED } }));
    }
    const { id } = message;
    const { method, params } = this.#tabs.translate(message.method, message.params ?? {});
    const named = message.sessionId ?? this.#pageSession;
    const session = named === undefined ? undefined : this.#sessions.get(named);
    // A further session of the browser is checked as the first one is.
    const sessionId = session?.isBrowser ? undefined : named;
    const targetId = session?.isBrowser ? undefined : session?.targetId;
    const stopped = this.#hooks.onCommand(method, params, targetId);
    const verdict =
      stopped === undefined
        ? checkCommand({ method, params, sessionId }, this.#view)
        : { do: 'refuse' as const, code: -32000, message: stopped };
    if (verdict.do === 'refuse') return this.#refuse(message, verdict.code, verdict.message);
    if (verdict.do === 'answer') return this.#reply(message, { result: verdict.result });
    if (verdict.do === 'end') {
      this.#reply(message, { result: verdict.result });
      return this.#socket.close(1000, 'the browser was closed by this connection');
    }
    if (verdict.do === 'make_context') return void this.#makeContext(message, verdict.disposeOnDetach);
    if (verdict.do === 'dispose_context') return void this.#disposeContext(message, verdict.contextId);
    const acted = targetId ?? (method === 'Target.activateTarget' ? String(params['targetId']) : undefined);
    if (acted !== undefined && (isDriving(method) || sessionId === undefined)) this.#hooks.onDrive(acted);
    const { pausedPages } = this.#connection;
    if (method === 'Target.setAutoAttach' && params['waitForDebuggerOnStart'] === true) pausedPages.addClient(this);
    if (method === 'Runtime.runIfWaitingForDebugger' && named !== undefined) pausedPages.resume(targetId ?? '', named);
    const at = verdict.atRoot ? this.#browserSession : (named ?? this.#browserSession);
    if (sessionId === undefined && method === 'Target.setDiscoverTargets' && announcesBrowser(params))
      this.#announce(message.sessionId, 'Target.targetCreated', { targetInfo: this.#browserTarget });
    const isBytes = at === message.sessionId && !session?.isBrowser && verdict.result === undefined;
    const pass = (then?: () => void): void =>
      this.#passOn(at, verdict.method ?? method, verdict.params, (frame) => {
        // Only the id of a page's answer is changed. Answers of the browser itself are small, and carry a session id that the server must not see.
        if (isBytes) this.#send(withId(frame, id));
        else this.#onParsedAnswer(frame, message, verdict);
        then?.();
      });
    /** A browser that does not answer must stop neither other lanes from opening pages nor other slots from using the clipboard. */
    const passed = (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, BROWSER_TIMEOUT_MS);
      pass(resolve);
      return promise.finally(() => clearTimeout(timer));
    };
    if (verdict.result === 'learn_target') void this.#hooks.makePage(passed);
    else if (method === 'Input.dispatchKeyEvent' && usesClipboard(params)) this.#holdUntilSent(message, passed);
    else pass();
  }

  #holdUntilSent(request: Incoming, send: () => Promise<void>): void {
    this.#held = [];
    const release = (): void => {
      const held = this.#held ?? [];
      this.#held = undefined;
      // One of them may be such a key again, and holds the others.
      for (const data of held) this.#onCommand(data);
    };
    let isSent = false;
    const sent = (): Promise<void> => {
      isSent = true;
      const answered = send();
      release();
      return answered;
    };
    this.#hooks.useClipboard(sent).catch((error: unknown) => {
      if (isSent) return;
      release();
      this.#reply(request, {
        error: { code: -32000, message: `The clipboard could not be used: ${messageOf(error)}` },
      });
    });
  }

  async #makeContext(request: Incoming, disposeOnDetach: boolean): Promise<void> {
    const { contexts, ownContexts } = this.#hooks;
    if (ownContexts.size >= MAX_CONTEXTS)
      return this.#refuse(request, -32000, `This connection has ${MAX_CONTEXTS} contexts; dispose of one first`);
    try {
      const browserContextId = await contexts.openContext();
      ownContexts.add(browserContextId);
      if (disposeOnDetach && this.#ended) return await this.#dispose(browserContextId);
      if (disposeOnDetach) this.#contextsToDispose.add(browserContextId);
      this.#reply(request, { result: { browserContextId } });
    } catch (error) {
      this.#reply(request, { error: { code: -32000, message: messageOf(error) } });
    }
  }

  async #disposeContext(request: Incoming, contextId: string): Promise<void> {
    this.#contextsToDispose.delete(contextId);
    try {
      await this.#dispose(contextId);
      this.#reply(request, { result: {} });
    } catch (error) {
      this.#reply(request, { error: { code: -32000, message: messageOf(error) } });
    }
  }

  async #dispose(contextId: string): Promise<void> {
    await this.#hooks.contexts.closeContext(contextId);
    this.#hooks.ownContexts.delete(contextId);
  }

  #passOn(sessionId: string, method: string, params: unknown, onAnswer: (frame: Buffer) => void): void {
    const id = this.#connection.passOn(sessionId, method, params, (frame) => {
      if (id !== undefined) this.#pending.delete(id);
      onAnswer(frame);
    });
    if (id === undefined) this.#socket.close(1001, 'the browser is gone');
    else this.#pending.add(id);
  }

  #onParsedAnswer(frame: Buffer, request: Incoming, sent: Extract<Verdict, { do: 'pass' }>): void {
    const { result, error } = JSON.parse(frame.toString()) as RootMessage;
    if (!result) return this.#reply(request, { error });
    const { result: rule, params } = sent;
    if (rule === 'filter_targets') {
      const infos = (result['targetInfos'] as Protocol.Target.TargetInfo[]).filter((info) => this.#isVisible(info));
      return this.#reply(request, { result: { ...result, targetInfos: infos } });
    }
    if (rule === 'learn_target') this.#targets.set(String(result['targetId']), String(params['browserContextId']));
    if (rule === 'learn_window') this.#windows.add(Number(result['windowId']));
    if (rule === 'learn_session') this.#learnSession(String(result['sessionId']), String(params['targetId']));
    if (rule === 'learn_browser_session') this.#learnBrowserSession(String(result['sessionId']));
    this.#reply(request, { result });
  }

  #onBrowserEvent(frame: Buffer, session: string): void {
    const message = JSON.parse(frame.toString()) as RootMessage;
    if (!this.#admit(message, session) || this.#isOfPage) return;
    const attached = message.method === 'Target.attachedToTarget' && isOfBrowser(message);
    const params = attached ? { ...message.params, targetInfo: this.#browserTarget } : message.params;
    this.#announce(session === this.#browserSession ? undefined : session, message.method, params);
  }

  #announce(sessionId: string | undefined, method: string | undefined, params: unknown): void {
    this.#send(JSON.stringify({ method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
  }

  /** Forwards the events of a page as bytes, except those that announce further sessions. */
  #onPageEvent(frame: Buffer, sessionId: string): void {
    const isJudged = FILTERED_EVENT.test(frame.toString('latin1', 0, 32));
    if (isJudged && !this.#admit(JSON.parse(frame.toString()) as RootMessage, sessionId)) return;
    const seen = frame.toString('latin1', 0, DIALOG_EVENT.length) === DIALOG_EVENT ? asWithAWindow(frame) : frame;
    this.#send(sessionId === this.#pageSession ? withoutSession(seen) : seen);
  }

  /** Whether the server may see this event. It also records the targets and sessions that the event names. */
  #admit(message: RootMessage, parentSession: string): boolean {
    const params = message.params ?? {};
    const info = params['targetInfo'] as Protocol.Target.TargetInfo | undefined;
    switch (message.method) {
      case 'Target.targetCreated':
      case 'Target.targetInfoChanged':
        return info !== undefined && this.#isVisible(info);
      case 'Target.targetDestroyed':
      case 'Target.targetCrashed': {
        const targetId = String(params['targetId']);
        return message.method === 'Target.targetDestroyed'
          ? this.#targets.delete(targetId)
          : this.#targets.has(targetId);
      }
      case 'Target.attachedToTarget': {
        const sessionId = String(params['sessionId']);
        if (isOfBrowser(message)) {
          this.#learnBrowserSession(sessionId);
          return true;
        }
        // What a visible page attaches to (its frames and workers) is visible too; a tab may hold a page that is not.
        const isInside = !this.#isBrowserSession(parentSession) && info?.type !== 'page';
        if (!info || !(isInside ? this.#isInContext(info) : this.#isOurs(info))) {
          this.#resumeUnseen(sessionId, parentSession);
          return false;
        }
        this.#learnTarget(info);
        this.#learnSession(sessionId, info.targetId);
        if (info.type === 'page' && params['waitingForDebugger'] === true)
          this.#connection.pausedPages.pause(info.targetId, sessionId);
        return true;
      }
      case 'Target.detachedFromTarget': {
        const sessionId = String(params['sessionId']);
        this.#connection.unroute(sessionId);
        this.#connection.pausedPages.resume(this.#sessions.get(sessionId)?.targetId ?? '', sessionId);
        if (sessionId === this.#pageSession) this.#socket.close(1000, 'the page is gone');
        return this.#sessions.delete(sessionId);
      }
      case 'Browser.downloadWillBegin': {
        const frameId = String(params['frameId']);
        if (!this.#targets.has(frameId) && !this.#hooks.ownsFrame(frameId)) return false;
        this.#downloads.add(String(params['guid']));
        return true;
      }
      case 'Browser.downloadProgress':
        return this.#downloads.has(String(params['guid']));
      default:
        return this.#view.extraDomains.has(domainOf(message.method ?? ''));
    }
  }

  /** Whether the server may know of a target; it is recorded then. */
  #isVisible(info: Protocol.Target.TargetInfo): boolean {
    if (!this.#isOurs(info)) return false;
    this.#learnTarget(info);
    return true;
  }

  #isOurs(info: Protocol.Target.TargetInfo): boolean {
    return this.#isInContext(info) && this.#hooks.ownsTarget(info);
  }

  #isInContext(info: Protocol.Target.TargetInfo): boolean {
    const { browserContextId: id = '' } = info;
    return id === this.#view.contextId || this.#view.ownContexts.has(id);
  }

  #isBrowserSession(sessionId: string): boolean {
    return sessionId === this.#browserSession || this.#sessions.get(sessionId)?.isBrowser === true;
  }

  #learnTarget({ targetId, browserContextId }: Protocol.Target.TargetInfo): void {
    this.#targets.set(targetId, browserContextId ?? this.#view.contextId);
  }

  #learnSession(sessionId: string, targetId: string): void {
    if (this.#sessions.has(sessionId)) return;
    const contextId = this.#targets.get(targetId) ?? this.#view.contextId;
    this.#sessions.set(sessionId, { targetId, contextId, isBrowser: false });
    this.#connection.route(sessionId, (frame) => this.#onPageEvent(frame, sessionId));
  }

  #learnBrowserSession(sessionId: string): void {
    if (this.#sessions.has(sessionId)) return;
    this.#sessions.set(sessionId, { targetId: '', contextId: this.#view.contextId, isBrowser: true });
    this.#connection.route(sessionId, (frame) => this.#onBrowserEvent(frame, sessionId));
  }

  /** Resumes and detaches a page of another slot, which was paused because this server attaches to everything. */
  #resumeUnseen(sessionId: string, parentSession: string): void {
    this.#passOn(sessionId, 'Runtime.runIfWaitingForDebugger', {}, () => {});
    this.#passOn(parentSession, 'Target.detachFromTarget', { sessionId }, () => {});
  }

  #refuse(request: Incoming, code: number, message: string): void {
    this.#hooks.onRefused(request.method, message);
    this.#reply(request, { error: { code, message } });
  }

  #reply(request: Incoming, body: { result?: Record<string, unknown>; error?: unknown }): void {
    const { id, sessionId, method, params = {} } = request;
    const told = body.result ? { result: this.#tabs.answer(method, params, body.result) } : body;
    this.#send(JSON.stringify(sessionId === undefined ? { id, ...told } : { id, ...told, sessionId }));
  }

  #send(data: Buffer | string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED) return this.#socket.terminate();
    this.#socket.send(data, { binary: false });
  }
}
