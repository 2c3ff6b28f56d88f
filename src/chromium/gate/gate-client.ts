/**
 * One tool server's connection through the gate. It has its own browser-level session (`Target.attachToBrowserTarget`), so that its
 * discovery and auto-attach settings are its own. Commands are checked, root events are filtered, and page traffic passes as bytes.
 */
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { messageOf } from '../../errors/index.ts';
import type { Connection } from '../cdp/connection.ts';
import { withId } from '../cdp/frame.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { usesClipboard } from '../clipboard/clipboard-keys.ts';
import { checkCommand, domainOf, type GateView, isDriving, type ResultRule } from './rules.ts';

/** A server that does not read its answers is disconnected before it fills the memory. */
const MAX_BUFFERED = 256 * 1024 * 1024;

/** How long connecting or disconnecting a server may wait for the browser. */
const BROWSER_TIMEOUT_MS = 3_000;

/** How Chromium starts the events that may be about other contexts: targets, and downloads, which it sends to every session that asked for any (seen). */
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
  /** Called with every command before it is checked. A returned string refuses the command with that reason. */
  onCommand(method: string, params: Record<string, unknown>, targetId: string | undefined): string | undefined;
  onRefused(method: string, reason: string): void;
  /** The server acted on this page. */
  onDrive(targetId: string): void;
  /** Whether a frame without its own target is in one of the context's pages. */
  ownsFrame(frameId: string): boolean;
  /** Whether the server may see a target of the context. */
  ownsTarget(info: Protocol.Target.TargetInfo): boolean;
  /** Sends a command that opens a page. */
  makePage(send: () => Promise<unknown>): Promise<unknown>;
  /** Sends a key that copies or pastes. */
  useClipboard(send: () => Promise<unknown>): Promise<unknown>;
}

export class GateClient {
  readonly #socket: WebSocket;
  readonly #connection: Connection;
  readonly #browserSession: string;
  readonly #hooks: GateHooks;
  readonly #view: GateView;
  /** The sessions of this client, each with the target that it is attached to. */
  readonly #sessions = new Map<string, string>();
  readonly #targets = new Set<string>();
  readonly #windows = new Set<number>();
  readonly #downloads = new Set<string>();
  /** Commands without an answer yet, by the connection's ids. A closed page never answers. */
  readonly #pending = new Set<number>();
  /** What the server sent while a key of it waits for the clipboard: commands keep their order. */
  #held: Buffer[] | undefined;
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
    // Messages of the server wait in its socket in the meantime.
    socket.pause();
    try {
      const { root } = connection;
      const timeoutMs = BROWSER_TIMEOUT_MS;
      const { sessionId } = await root.send('Target.attachToBrowserTarget', undefined, { timeoutMs });
      const client = new GateClient(socket, connection, sessionId, contextId, hooks, extraDomains);
      // The server may name an existing target before it is announced (a tab id that it got from the harness).
      const { targetInfos } = await root.send('Target.getTargets', {}, { timeoutMs });
      for (const info of targetInfos) if (client.#isOurs(info)) client.#targets.add(info.targetId);
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
    for (const sessionId of this.#sessions.keys()) this.#connection.unroute(sessionId);
    this.#connection.unroute(this.#browserSession);
    this.#connection.abandon(this.#pending);
    if (!this.#connection.isOpen) return;
    // Pages that wait for this client's debugger are resumed when its session ends.
    const options = { timeoutMs: BROWSER_TIMEOUT_MS };
    // The browser may have ended the session already.
    await this.#connection.root
      .send('Target.detachFromTarget', { sessionId: this.#browserSession }, options)
      .catch(() => {});
  }

  #onCommand(data: Buffer): void {
    if (this.#ended) return;
    if (this.#held) {
      this.#held.push(data);
      return;
    }
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
    const pass = (then?: () => void): void =>
      this.#passOn(at, method, verdict.params, (frame) => {
        // Only the id of a page's answer is changed. Answers of the browser itself are small, and carry a session id that the server must not see.
        if (at === sessionId && verdict.result === undefined) this.#send(withId(frame, id));
        else this.#onRootAnswer(frame, message, verdict.result);
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

  /** Forwards the events of a page as bytes, except those that announce further sessions. */
  #onPageEvent(frame: Buffer, sessionId: string): void {
    const isJudged = JUDGED_EVENT.test(frame.toString('latin1', 0, 32));
    if (isJudged && !this.#admit(JSON.parse(frame.toString()) as RootMessage, sessionId)) return;
    this.#send(frame.toString('latin1', 0, DIALOG_EVENT.length) === DIALOG_EVENT ? asWithAWindow(frame) : frame);
  }

  /** Whether the server may see this event. It also records the targets and sessions that the event names. */
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
        // What a visible page attaches to (its frames and workers) is visible too; a tab may hold a page that is not.
        const isInside = parentSession !== this.#browserSession && info?.type !== 'page';
        if (!info || !(isInside ? this.#isInContext(info) : this.#isOurs(info))) {
          this.#resumeUnseen(sessionId, parentSession);
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
    return this.#isInContext(info) && this.#hooks.ownsTarget(info);
  }

  #isInContext(info: Protocol.Target.TargetInfo): boolean {
    return info.browserContextId === this.#view.contextId;
  }

  #learnSession(sessionId: string, targetId: string): void {
    if (this.#sessions.has(sessionId)) return;
    this.#sessions.set(sessionId, targetId);
    this.#connection.route(sessionId, (frame) => this.#onPageEvent(frame, sessionId));
  }

  /** Resumes and detaches a page of another slot, which was paused because this server attaches to everything. */
  #resumeUnseen(sessionId: string, parentSession: string): void {
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

/**
 * The DevTools inside chrome-devtools-mcp dismiss every dialog at once when the browser has no window, as in headless-shell,
 * and the server then reports that it accepted a dialog that was cancelled. With `hasBrowserHandler` they leave the dialog to the server.
 */
function asWithAWindow(frame: Buffer): string {
  return frame.toString().replace('"hasBrowserHandler":false', '"hasBrowserHandler":true');
}

/** The command; for a message that is not a valid command, its id, so that the error can answer it. */
function parse(data: Buffer): Incoming | { wrong: number | undefined } {
  let json: unknown;
  try {
    json = JSON.parse(data.toString());
  } catch {
    // The client gets an error that its message is malformed.
    return { wrong: undefined };
  }
  const parsed = Incoming.safeParse(json);
  return parsed.success ? parsed.data : { wrong: Numbered.safeParse(json).data?.id };
}
