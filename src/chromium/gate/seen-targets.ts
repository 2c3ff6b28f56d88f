/** The targets, sessions, windows and downloads that one tool server may name: those of its episode that it was told of. */
import { randomUUID } from 'node:crypto';
import type { Protocol } from '../cdp/protocol.ts';
import type { GateHooks } from './gate-hooks.ts';
import { BROWSER_TARGET } from './gate-messages.ts';
import type { GateView } from './rules.ts';

/** What a session is attached to. */
interface Attached {
  targetId: string;
  contextId: string;
  /** A further session at browser level. */
  isBrowser: boolean;
}

export interface SeenTargetsOptions {
  contextId: string;
  hooks: Pick<GateHooks, 'ownContexts' | 'ownsTarget'>;
  extraDomains: ReadonlySet<string>;
  /** The first session of the client at browser level. */
  browserSession: string;
  /** A session that was not known before. */
  onSession: (sessionId: string, isBrowser: boolean) => void;
}

export class SeenTargets {
  /** The target of the browser, as this client sees it. Chromium has one for each client of the browser, so the real ones would show the others. */
  readonly browserTarget = { ...BROWSER_TARGET, targetId: randomUUID() };
  readonly sessions = new Map<string, Attached>();
  /** Each with its context. */
  readonly targets = new Map<string, string>();
  readonly windows = new Set<number>();
  readonly downloads = new Set<string>();
  /** What the rules for commands ask. */
  readonly view: GateView;
  readonly #options: SeenTargetsOptions;

  constructor(options: SeenTargetsOptions) {
    const { contextId, hooks, extraDomains } = options;
    this.#options = options;
    this.view = {
      contextId,
      ownContexts: hooks.ownContexts,
      contextOf: (id) => this.sessions.get(id)?.contextId ?? contextId,
      extraDomains,
      hasTarget: (id) => this.targets.has(id),
      browserTarget: this.browserTarget,
      hasSession: (id) => this.sessions.has(id),
      hasWindow: (id) => this.windows.has(id),
    };
  }

  /** Whether the server may know of a target; it is recorded then. */
  isVisible(info: Protocol.Target.TargetInfo): boolean {
    if (!this.isOurs(info)) return false;
    this.learnTarget(info);
    return true;
  }

  isOurs(info: Protocol.Target.TargetInfo): boolean {
    return this.isInContext(info) && this.#options.hooks.ownsTarget(info);
  }

  isInContext({ browserContextId: id = '' }: Protocol.Target.TargetInfo): boolean {
    return id === this.view.contextId || this.view.ownContexts.has(id);
  }

  isBrowserSession(sessionId: string): boolean {
    return sessionId === this.#options.browserSession || this.sessions.get(sessionId)?.isBrowser === true;
  }

  learnTarget({ targetId, browserContextId }: Protocol.Target.TargetInfo): void {
    this.targets.set(targetId, browserContextId ?? this.view.contextId);
  }

  learnSession(sessionId: string, targetId: string): void {
    this.#learn(sessionId, {
      targetId,
      contextId: this.targets.get(targetId) ?? this.view.contextId,
      isBrowser: false,
    });
  }

  learnBrowserSession(sessionId: string): void {
    this.#learn(sessionId, { targetId: '', contextId: this.view.contextId, isBrowser: true });
  }

  #learn(sessionId: string, attached: Attached): void {
    if (this.sessions.has(sessionId)) return;
    this.sessions.set(sessionId, attached);
    this.#options.onSession(sessionId, attached.isBrowser);
  }
}
