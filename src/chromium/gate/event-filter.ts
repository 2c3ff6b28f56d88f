/** Which events a tool server may see. What they name is recorded as seen on the way. */
import type { Connection } from '../cdp/connection.ts';
import type { Protocol } from '../cdp/protocol.ts';
import type { GateHooks } from './gate-hooks.ts';
import { isOfBrowser, type RootMessage } from './gate-messages.ts';
import { domainOf } from './rules.ts';
import type { SeenTargets } from './seen-targets.ts';

export interface EventFilterOptions {
  seen: SeenTargets;
  connection: Pick<Connection, 'unroute' | 'pausedPages'>;
  hooks: Pick<GateHooks, 'ownsFrame'>;
  /** Resumes and detaches a page of another slot, which was paused because this server attaches to everything. */
  resumeUnseen: (sessionId: string, parentSession: string) => void;
  onDetached: (sessionId: string) => void;
}

type Params = Readonly<Record<string, unknown>>;

export class EventFilter {
  readonly #options: EventFilterOptions;

  constructor(options: EventFilterOptions) {
    this.#options = options;
  }

  /** Whether the server may see this event. */
  admit(message: RootMessage, parentSession: string): boolean {
    const { seen, hooks } = this.#options;
    const params = message.params ?? {};
    const targetId = String(params['targetId']);
    switch (message.method) {
      case 'Target.targetCreated':
      case 'Target.targetInfoChanged': {
        const info = infoIn(params);
        return info !== undefined && seen.isVisible(info);
      }
      case 'Target.targetDestroyed':
        return seen.targets.delete(targetId);
      case 'Target.targetCrashed':
        return seen.targets.has(targetId);
      case 'Target.attachedToTarget':
        return this.#attached(message, params, parentSession);
      case 'Target.detachedFromTarget':
        return this.#detached(String(params['sessionId']));
      case 'Browser.downloadWillBegin': {
        const frameId = String(params['frameId']);
        if (!seen.targets.has(frameId) && !hooks.ownsFrame(frameId)) return false;
        seen.downloads.add(String(params['guid']));
        return true;
      }
      case 'Browser.downloadProgress':
        return seen.downloads.has(String(params['guid']));
      default:
        return seen.view.extraDomains.has(domainOf(message.method ?? ''));
    }
  }

  #attached(message: RootMessage, params: Params, parentSession: string): boolean {
    const { seen, connection, resumeUnseen } = this.#options;
    const sessionId = String(params['sessionId']);
    if (isOfBrowser(message)) {
      seen.learnBrowserSession(sessionId);
      return true;
    }
    const info = infoIn(params);
    // What a visible page attaches to (its frames and workers) is visible too; a tab may hold a page that is not.
    const isInside = !seen.isBrowserSession(parentSession) && info?.type !== 'page';
    if (!info || !(isInside ? seen.isInContext(info) : seen.isOurs(info))) {
      resumeUnseen(sessionId, parentSession);
      return false;
    }
    seen.learnTarget(info);
    seen.learnSession(sessionId, info.targetId);
    if (info.type === 'page' && params['waitingForDebugger'] === true)
      connection.pausedPages.pause(info.targetId, sessionId);
    return true;
  }

  #detached(sessionId: string): boolean {
    const { seen, connection, onDetached } = this.#options;
    connection.unroute(sessionId);
    connection.pausedPages.resume(seen.sessions.get(sessionId)?.targetId ?? '', sessionId);
    onDetached(sessionId);
    return seen.sessions.delete(sessionId);
  }
}

function infoIn(params: Params): Protocol.Target.TargetInfo | undefined {
  return params['targetInfo'] as Protocol.Target.TargetInfo | undefined;
}
