/**
 * One connection of a tool server through the gate, to the browser or to one page. It has its own browser-level session
 * (`Target.attachToBrowserTarget`), so that its discovery and auto-attach settings are its own. Commands are checked, events of the browser are
 * filtered, and page traffic passes as bytes.
 */
import type { WebSocket } from 'ws';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import type { Connection } from '../cdp/connection.ts';
import { withId } from '../cdp/frame.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { usesClipboard } from '../clipboard/clipboard-keys.ts';
import { BrowserOsTabs } from './browseros-tabs.ts';
import { ClientContexts } from './client-contexts.ts';
import { ClientSocket } from './client-socket.ts';
import { EventFilter } from './event-filter.ts';
import type { GateHooks } from './gate-hooks.ts';
import {
  announcesBrowser,
  asWithAWindow,
  DIALOG_EVENT,
  FILTERED_EVENT,
  type Incoming,
  isOfBrowser,
  MALFORMED,
  parseCommand,
  type RootMessage,
  withoutSession,
} from './gate-messages.ts';
import { checkCommand, isDriving, type Verdict } from './rules.ts';
import { SeenTargets } from './seen-targets.ts';

/** How long connecting or disconnecting a server may wait for the browser. */
const BROWSER_TIMEOUT_MS = 3_000;

type Passed = Extract<Verdict, { do: 'pass' }>;

/** A command that was checked, as it is sent on. */
interface Checked {
  readonly request: Incoming;
  readonly verdict: Passed;
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** The session that it was sent in, or that of the page for a connection to one page. */
  readonly named: string | undefined;
  /** Undefined: at browser level. */
  readonly targetId: string | undefined;
  readonly isAtBrowser: boolean;
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
  readonly #socket: ClientSocket;
  readonly #connection: Connection;
  readonly #browserSession: string;
  readonly #hooks: GateHooks;
  readonly #seen: SeenTargets;
  readonly #events: EventFilter;
  readonly #contexts: ClientContexts;
  readonly #tabs = new BrowserOsTabs();
  /** Commands without an answer yet, by the connection's ids. A closed page never answers. */
  readonly #pending = new Set<number>();
  /** What the server sent while a key of it waits for the clipboard: commands keep their order. */
  #held: Buffer[] | undefined;
  /** Whether this is a connection to one page, which has no events of the browser. */
  readonly #isOfPage: boolean;
  #pageSession: string | undefined;
  #unwatch: () => void;
  #ended = false;

  private constructor(browserSession: string, options: GateClientOptions) {
    const { connection, contextId, hooks, extraDomains } = options;
    this.#socket = new ClientSocket(options.socket, this.#tabs, hooks);
    this.#contexts = new ClientContexts(hooks, this.#socket);
    this.#connection = connection;
    this.#browserSession = browserSession;
    this.#hooks = hooks;
    this.#isOfPage = options.pageId !== undefined;
    const onSession = (sessionId: string, isBrowser: boolean): void =>
      connection.route(sessionId, (frame) =>
        isBrowser ? this.#onBrowserEvent(frame, sessionId) : this.#onPageEvent(frame, sessionId),
      );
    this.#seen = new SeenTargets({ contextId, hooks, extraDomains, browserSession, onSession });
    this.#events = new EventFilter({
      seen: this.#seen,
      connection,
      hooks,
      resumeUnseen: (sessionId, parentSession) => this.#resumeUnseen(sessionId, parentSession),
      onDetached: (sessionId) => {
        if (sessionId === this.#pageSession) this.#socket.close(1000, 'the page is gone');
      },
    });
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
      for (const info of targetInfos) if (client.#seen.isOurs(info)) client.#seen.learnTarget(info);
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
    this.#contexts.detach();
    this.#unwatch();
    const { pausedPages } = this.#connection;
    pausedPages.removeClient(this);
    for (const [sessionId, { targetId }] of this.#seen.sessions) {
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
    await this.#contexts.disposeDetached();
  }

  async #attachToPage(targetId: string): Promise<void> {
    if (!this.#seen.targets.has(targetId))
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
    this.#seen.learnSession(sessionId, targetId);
  }

  #onCommand(data: Buffer): void {
    if (this.#ended) return;
    if (this.#held) {
      this.#held.push(data);
      return;
    }
    const request = parseCommand(data);
    if ('wrong' in request) {
      return this.#socket.send(JSON.stringify({ id: request.wrong, error: { code: -32700, message: MALFORMED } }));
    }
    const { method, params } = this.#tabs.translate(request.method, request.params ?? {});
    const named = request.sessionId ?? this.#pageSession;
    const session = named === undefined ? undefined : this.#seen.sessions.get(named);
    const isAtBrowser = session?.isBrowser === true;
    // A further session of the browser is checked as the first one is.
    const sessionId = isAtBrowser ? undefined : named;
    const targetId = isAtBrowser ? undefined : session?.targetId;
    const stopped = this.#hooks.onCommand(method, params, targetId);
    const verdict: Verdict =
      stopped === undefined
        ? checkCommand({ method, params, sessionId }, this.#seen.view)
        : { do: 'refuse', code: -32000, message: stopped };
    if (verdict.do === 'pass') this.#pass({ request, verdict, method, params, named, targetId, isAtBrowser });
    else this.#answer(request, verdict);
  }

  /** What the browser is not asked. */
  #answer(request: Incoming, verdict: Exclude<Verdict, Passed>): void {
    if (verdict.do === 'refuse') return this.#socket.refuse(request, verdict.code, verdict.message);
    if (verdict.do === 'make_context') return void this.#contexts.make(request, verdict.disposeOnDetach);
    if (verdict.do === 'dispose_context') return void this.#contexts.dispose(request, verdict.contextId);
    this.#socket.reply(request, { result: verdict.result });
    if (verdict.do === 'end') this.#socket.close(1000, 'the browser was closed by this connection');
  }

  #pass(checked: Checked): void {
    const { request, verdict, method, params, named, targetId, isAtBrowser } = checked;
    const sessionId = isAtBrowser ? undefined : named;
    const acted = targetId ?? (method === 'Target.activateTarget' ? String(params['targetId']) : undefined);
    if (acted !== undefined && (isDriving(method) || sessionId === undefined)) this.#hooks.onDrive(acted);
    const { pausedPages } = this.#connection;
    if (method === 'Target.setAutoAttach' && params['waitForDebuggerOnStart'] === true) pausedPages.addClient(this);
    if (method === 'Runtime.runIfWaitingForDebugger' && named !== undefined) pausedPages.resume(targetId ?? '', named);
    if (sessionId === undefined && method === 'Target.setDiscoverTargets' && announcesBrowser(params))
      this.#socket.announce(request.sessionId, 'Target.targetCreated', { targetInfo: this.#seen.browserTarget });
    /** A browser that does not answer must stop neither other lanes from opening pages nor other slots from using the clipboard. */
    const passed = (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, BROWSER_TIMEOUT_MS);
      this.#sendOn(checked, resolve);
      return promise.finally(() => clearTimeout(timer));
    };
    if (verdict.result === 'learn_target') void this.#hooks.makePage(passed);
    else if (method === 'Input.dispatchKeyEvent' && usesClipboard(params)) this.#holdUntilSent(request, passed);
    else this.#sendOn(checked);
  }

  #sendOn({ request, verdict, method, named, isAtBrowser }: Checked, then?: () => void): void {
    const at = verdict.atRoot ? this.#browserSession : (named ?? this.#browserSession);
    const isBytes = at === request.sessionId && !isAtBrowser && verdict.result === undefined;
    this.#passOn(at, verdict.method ?? method, verdict.params, (frame) => {
      // Only the id of a page's answer is changed. Answers of the browser itself are small, and carry a session id that the server must not see.
      if (isBytes) this.#socket.send(withId(frame, request.id));
      else this.#onParsedAnswer(frame, request, verdict);
      then?.();
    });
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
      this.#socket.fail(request, `The clipboard could not be used: ${messageOf(error)}`);
    });
  }

  #passOn(sessionId: string, method: string, params: unknown, onAnswer: (frame: Buffer) => void): void {
    const id = this.#connection.passOn(sessionId, method, params, (frame) => {
      if (id !== undefined) this.#pending.delete(id);
      onAnswer(frame);
    });
    if (id === undefined) this.#socket.close(1001, 'the browser is gone');
    else this.#pending.add(id);
  }

  #onParsedAnswer(frame: Buffer, request: Incoming, { result: rule, params }: Passed): void {
    const { result, error } = JSON.parse(frame.toString()) as RootMessage;
    if (!result) return this.#socket.reply(request, { error });
    const seen = this.#seen;
    if (rule === 'filter_targets') {
      const infos = (result['targetInfos'] as Protocol.Target.TargetInfo[]).filter((info) => seen.isVisible(info));
      return this.#socket.reply(request, { result: { ...result, targetInfos: infos } });
    }
    if (rule === 'learn_target') seen.targets.set(String(result['targetId']), String(params['browserContextId']));
    if (rule === 'learn_window') seen.windows.add(Number(result['windowId']));
    if (rule === 'learn_session') seen.learnSession(String(result['sessionId']), String(params['targetId']));
    if (rule === 'learn_browser_session') seen.learnBrowserSession(String(result['sessionId']));
    this.#socket.reply(request, { result });
  }

  #onBrowserEvent(frame: Buffer, session: string): void {
    const message = JSON.parse(frame.toString()) as RootMessage;
    if (!this.#events.admit(message, session) || this.#isOfPage) return;
    const attached = message.method === 'Target.attachedToTarget' && isOfBrowser(message);
    const params = attached ? { ...message.params, targetInfo: this.#seen.browserTarget } : message.params;
    this.#socket.announce(session === this.#browserSession ? undefined : session, message.method, params);
  }

  /** Forwards the events of a page as bytes, except those that announce further sessions. */
  #onPageEvent(frame: Buffer, sessionId: string): void {
    const isJudged = FILTERED_EVENT.test(frame.toString('latin1', 0, 32));
    if (isJudged && !this.#events.admit(JSON.parse(frame.toString()) as RootMessage, sessionId)) return;
    const seen = frame.toString('latin1', 0, DIALOG_EVENT.length) === DIALOG_EVENT ? asWithAWindow(frame) : frame;
    this.#socket.send(sessionId === this.#pageSession ? withoutSession(seen) : seen);
  }

  #resumeUnseen(sessionId: string, parentSession: string): void {
    this.#passOn(sessionId, 'Runtime.runIfWaitingForDebugger', {}, () => {});
    this.#passOn(parentSession, 'Target.detachFromTarget', { sessionId }, () => {});
  }
}
