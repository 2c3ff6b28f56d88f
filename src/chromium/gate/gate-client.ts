/**
 * One tool server's connection through the gate. It gets a browser-level session of its own (`Target.attachToBrowserTarget`), so that its
 * discovery and auto-attach settings are its own; commands are judged, root events are filtered, page traffic passes as bytes.
 */
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Connection } from '../cdp/connection.ts';
import { withId } from '../cdp/frame.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { type GateView, isDriving, judge, type ResultRule } from './rules.ts';

/** A server that does not read what it asked for is cut off before it fills our memory. */
const MAX_BUFFERED = 256 * 1024 * 1024;

/** How Chromium begins the events of the Target domain. */
const TARGET_EVENT = '{"method":"Target.';

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
    void connection.closed.then(() => this.#socket.close(1001, 'the browser is gone'));
  }

  static async start(
    socket: WebSocket,
    connection: Connection,
    contextId: string,
    hooks: GateHooks,
    extraDomains: ReadonlySet<string>,
  ): Promise<GateClient> {
    const early: Buffer[] = [];
    const keep = (data: Buffer): void => {
      early.push(data);
    };
    socket.on('message', keep);
    const { sessionId } = await connection.root.send('Target.attachToBrowserTarget');
    const client = new GateClient(socket, connection, sessionId, contextId, hooks, extraDomains);
    // Targets that exist already may be named before they are announced (a tab id that the harness told the server).
    const { targetInfos } = await connection.root.send('Target.getTargets', {});
    for (const info of targetInfos) if (client.#isOurs(info)) client.#targets.add(info.targetId);
    socket.off('message', keep);
    socket.on('message', (data: Buffer) => client.#onCommand(data));
    for (const data of early) client.#onCommand(data);
    return client;
  }

  /** Lets go of everything that this client held. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    for (const sessionId of this.#sessions.keys()) this.#connection.unroute(sessionId);
    this.#connection.unroute(this.#browserSession);
    if (!this.#connection.isOpen) return;
    // Pages that wait for this client's debugger are let go with its session.
    await this.#connection.root.send('Target.detachFromTarget', { sessionId: this.#browserSession }).catch(() => {});
  }

  #onCommand(data: Buffer): void {
    const message = parse(data);
    if (!message)
      return this.#send(JSON.stringify({ error: { code: -32700, message: 'Message must be a valid CDP command' } }));
    const { id, method, params = {}, sessionId } = message;
    const targetId = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    const stopped = this.#hooks.onCommand(method, params, targetId);
    const verdict =
      stopped === undefined
        ? judge({ method, params, sessionId }, this.#view)
        : { do: 'refuse' as const, code: -32000, message: stopped };
    if (verdict.do === 'refuse') {
      this.#hooks.onRefused(method, verdict.message);
      return this.#reply(message, { error: { code: verdict.code, message: verdict.message } });
    }
    if (verdict.do === 'answer') return this.#reply(message, { result: verdict.result });
    const acted = targetId ?? (method === 'Target.activateTarget' ? String(params['targetId']) : undefined);
    if (acted !== undefined && (isDriving(method) || sessionId === undefined)) this.#hooks.onDrive(acted);
    const sent = this.#connection.passOn(sessionId ?? this.#browserSession, method, verdict.params, (frame) => {
      // A page's answer passes as it is but for its id. The browser's own are small, and carry a session id that the server must not see.
      if (sessionId !== undefined && verdict.result === undefined) this.#send(withId(frame, id));
      else this.#onRootAnswer(frame, message, verdict.result);
    });
    if (!sent) this.#socket.close(1001, 'the browser is gone');
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
    const isAboutTargets = frame.toString('latin1', 0, TARGET_EVENT.length) === TARGET_EVENT;
    if (isAboutTargets && !this.#admit(JSON.parse(frame.toString()) as RootMessage, sessionId)) return;
    this.#send(frame);
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
      default:
        return true;
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
    this.#connection.passOn(sessionId, 'Runtime.runIfWaitingForDebugger', {}, () => {});
    this.#connection.passOn(parentSession, 'Target.detachFromTarget', { sessionId }, () => {});
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

function parse(data: Buffer): Incoming | undefined {
  try {
    const parsed = Incoming.safeParse(JSON.parse(data.toString()));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
