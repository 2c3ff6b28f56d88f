/**
 * One tool server's connection through the gate. It gets a browser-level session of its own (`Target.attachToBrowserTarget`), so that its
 * discovery and auto-attach settings are its own; commands are judged, root events are filtered, page traffic passes as bytes.
 */
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Connection } from '../cdp/connection.ts';
import { withId } from '../cdp/frame.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { checkCommand, domainOf, type GateView, isDriving, type ResultRule } from './rules.ts';

/** A server that does not read what it asked for is cut off before it fills our memory. */
const MAX_BUFFERED = 256 * 1024 * 1024;

/** A browser that does not answer this long is as good as gone: nobody waits longer for it to let a server in or out. */
const BROWSER_TIMEOUT_MS = 3_000;

/** How Chromium begins the events that may be about others: targets, and downloads, which it tells to whoever asked for any (seen). */
const JUDGED_EVENT = /^\{"method":"(?:Target|Browser)\./;

const DIALOG_EVENT = '{"method":"Page.javascriptDialogOpening"';

const Incoming = z.object({
  id: z.number().int(),
  method: z.string().min(1).max(200),
  params: z.record(z.string(), z.unknown()).optional(),
  sessionId: z.string().optional(),
});
type Incoming = z.infer<typeof Incoming>;

interface RootMessage {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: unknown;
}

export interface GateHooks {
  /** Every command, before it is judged. A string refuses it, with that reason. */
  onCommand(method: string, params: Record<string, unknown>, targetId: string | undefined): string | undefined;
  onRefused(method: string, reason: string): void;
  /** The server acted on this page. */
  onDrive(targetId: string): void;
  /** Whether a frame that is no target of its own is in one of the context's pages. */
  ownsFrame(frameId: string): boolean;
}

export class GateClient {
  readonly #socket: WebSocket;
  readonly #connection: Connection;
  readonly #browserSession: string;
  readonly #hooks: GateHooks;
  readonly #view: GateView;
  /** Sessions of this client and the target that each is attached to. */
  readonly #sessions = new Map<string, string>();
  readonly #targets = new Set<string>();
  readonly #windows = new Set<number>();
  readonly #downloads = new Set<string>();
  /** Commands without an answer yet, by the connection's ids: a page that goes away never answers. */
  readonly #pending = new Set<number>();
  #unwatch: () => void;
  #ended = false;

  private constructor(
    socket: WebSocket,
    connection: Connection,
    browserSession: string,
    contextId: string,
    hooks: GateHooks,
    extraDomains: ReadonlySet<string>,
  ) {
    this.#socket = socket;
    this.#connection = connection;
    this.#browserSession = browserSession;
    this.#hooks = hooks;
    this.#view = {
      contextId,
      extraDomains,
      hasTarget: (id) => this.#targets.has(id),
      hasSession: (id) => this.#sessions.has(id),
      hasWindow: (id) => this.#windows.has(id),
    };
    connection.route(browserSession, (frame) => this.#onRootEvent(frame));
    this.#unwatch = connection.onLost(() => this.#socket.close(1001, 'the browser is gone'));
  }

  static async start(
    socket: WebSocket,
    connection: Connection,
    contextId: string,
    hooks: GateHooks,
    extraDomains: ReadonlySet<string>,
  ): Promise<GateClient> {
    // What the server says meanwhile waits in its socket.
    socket.pause();
    try {
      const { root } = connection;
      const timeoutMs = BROWSER_TIMEOUT_MS;
      const { sessionId } = await root.send('Target.attachToBrowserTarget', undefined, { timeoutMs });
      const client = new GateClient(socket, connection, sessionId, contextId, hooks, extraDomains);
      // Targets that exist already may be named before they are announced (a tab id that the harness told the server).
      const { targetInfos } = await root.send('Target.getTargets', {}, { timeoutMs });
      for (const info of targetInfos) if (client.#isOurs(info)) client.#targets.add(info.targetId);
      socket.on('message', (data: Buffer) => client.#onCommand(data));
      return client;
    } finally {
      socket.resume();
    }
  }

  /** Lets go of everything that this client held. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#unwatch();
    for (const sessionId of this.#sessions.keys()) this.#connection.unroute(sessionId);
    this.#connection.unroute(this.#browserSession);
    this.#connection.abandon(this.#pending);
    if (!this.#connection.isOpen) return;
    // Pages that wait for this client's debugger are let go with its session.
    const options = { timeoutMs: BROWSER_TIMEOUT_MS };
    // A session that the browser has ended already needs no detaching.
    await this.#connection.root
      .send('Target.detachFromTarget', { sessionId: this.#browserSession }, options)
      .catch(() => {});
  }

  #onCommand(data: Buffer): void {
    if (this.#ended) return;
    const message = parse(data);
    if ('wrong' in message) {
      return this.#send(JSON.stringify({ id: message.wrong, error: { code: -32700, message: MALFORMED } }));
    }
    const { id, method, params = {}, sessionId } = message;
    const targetId = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    const stopped = this.#hooks.onCommand(method, params, targetId);
    const verdict =
      stopped === undefined
        ? checkCommand({ method, params, sessionId }, this.#view)
        : { do: 'refuse' as const, code: -32000, message: stopped };
    if (verdict.do === 'refuse') {
      this.#hooks.onRefused(method, verdict.message);
      return this.#reply(message, { error: { code: verdict.code, message: verdict.message } });
    }
    if (verdict.do === 'answer') return this.#reply(message, { result: verdict.result });
    const acted = targetId ?? (method === 'Target.activateTarget' ? String(params['targetId']) : undefined);
    if (acted !== undefined && (isDriving(method) || sessionId === undefined)) this.#hooks.onDrive(acted);
    const at = verdict.atRoot || sessionId === undefined ? this.#browserSession : sessionId;
    this.#passOn(at, method, verdict.params, (frame) => {
      // A page's answer passes as it is but for its id. The browser's own are small, and carry a session id that the server must not see.
      if (at === sessionId && verdict.result === undefined) this.#send(withId(frame, id));
      else this.#onRootAnswer(frame, message, verdict.result);
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

  #onRootAnswer(frame: Buffer, request: Incoming, rule: ResultRule | undefined): void {
    const { result, error } = JSON.parse(frame.toString()) as RootMessage;
    if (!result) return this.#reply(request, { error });
    if (rule === 'filter_targets') {
      const infos = (result['targetInfos'] as Protocol.Target.TargetInfo[]).filter((info) => this.#isOurs(info));
      for (const info of infos) this.#targets.add(info.targetId);
      return this.#reply(request, { result: { ...result, targetInfos: infos } });
    }
    if (rule === 'learn_target') this.#targets.add(String(result['targetId']));
    if (rule === 'learn_window') this.#windows.add(Number(result['windowId']));
    if (rule === 'learn_session') this.#learnSession(String(result['sessionId']), String(request.params?.['targetId']));
    this.#reply(request, { result });
  }

  #onRootEvent(frame: Buffer): void {
    const message = JSON.parse(frame.toString()) as RootMessage;
    if (this.#admit(message, this.#browserSession)) {
      this.#send(JSON.stringify({ method: message.method, params: message.params }));
    }
  }

  /** Events of a page: bytes, but for those that announce further sessions. */
  #onPageEvent(frame: Buffer, sessionId: string): void {
    const isJudged = JUDGED_EVENT.test(frame.toString('latin1', 0, 32));
    if (isJudged && !this.#admit(JSON.parse(frame.toString()) as RootMessage, sessionId)) return;
    this.#send(frame.toString('latin1', 0, DIALOG_EVENT.length) === DIALOG_EVENT ? asWithAWindow(frame) : frame);
  }

  /** Whether the server may see this event; learns from it what it names. */
  #admit(message: RootMessage, parentSession: string): boolean {
    const params = message.params ?? {};
    const info = params['targetInfo'] as Protocol.Target.TargetInfo | undefined;
    switch (message.method) {
      case 'Target.targetCreated':
      case 'Target.targetInfoChanged':
        if (!info || !this.#isOurs(info)) return false;
        this.#targets.add(info.targetId);
        return true;
      case 'Target.targetDestroyed':
      case 'Target.targetCrashed': {
        const targetId = String(params['targetId']);
        return message.method === 'Target.targetDestroyed'
          ? this.#targets.delete(targetId)
          : this.#targets.has(targetId);
      }
      case 'Target.attachedToTarget': {
        const sessionId = String(params['sessionId']);
        if (!info || !this.#isOurs(info)) {
          this.#letGo(sessionId, parentSession);
          return false;
        }
        this.#targets.add(info.targetId);
        this.#learnSession(sessionId, info.targetId);
        return true;
      }
      case 'Target.detachedFromTarget': {
        const sessionId = String(params['sessionId']);
        this.#connection.unroute(sessionId);
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

  #isOurs(info: Protocol.Target.TargetInfo): boolean {
    return info.browserContextId === this.#view.contextId;
  }

  #learnSession(sessionId: string, targetId: string): void {
    if (this.#sessions.has(sessionId)) return;
    this.#sessions.set(sessionId, targetId);
    this.#connection.route(sessionId, (frame) => this.#onPageEvent(frame, sessionId));
  }

  /** A page of somebody else, held because this server attaches to everything: it runs on, unseen. */
  #letGo(sessionId: string, parentSession: string): void {
    this.#passOn(sessionId, 'Runtime.runIfWaitingForDebugger', {}, () => {});
    this.#passOn(parentSession, 'Target.detachFromTarget', { sessionId }, () => {});
  }

  #reply(request: Incoming, body: { result?: unknown; error?: unknown }): void {
    const { id, sessionId } = request;
    this.#send(JSON.stringify(sessionId === undefined ? { id, ...body } : { id, ...body, sessionId }));
  }

  #send(data: Buffer | string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED) return this.#socket.terminate();
    this.#socket.send(data, { binary: false });
  }
}

const MALFORMED = 'Message must be a valid CDP command';
const Numbered = z.object({ id: z.number() });

/** The command; or, of what is none, the id under which somebody may wait for an answer. */
/**
 * The DevTools inside chrome-devtools-mcp dismiss at once every dialog for which the browser has no window of its own, as headless-shell has not,
 * and the server then says that it accepted what was cancelled. Told that there is a window, they leave the dialog to the server.
 */
function asWithAWindow(frame: Buffer): string {
  return frame.toString().replace('"hasBrowserHandler":false', '"hasBrowserHandler":true');
}

function parse(data: Buffer): Incoming | { wrong: number | undefined } {
  let json: unknown;
  try {
    json = JSON.parse(data.toString());
  } catch {
    // The client is told that its message is not understood.
    return { wrong: undefined };
  }
  const parsed = Incoming.safeParse(json);
  return parsed.success ? parsed.data : { wrong: Numbered.safeParse(json).data?.id };
}
