/**
 * Which commands a foreign tool server may send to the browser. A pure function from a command and the known targets to pass, answer or refuse.
 *
 * The server sees the BrowserContext of the episode, with those that it creates beside it, as if it were the whole browser. At browser level only
 * the methods listed here are allowed; in a page's session whole domains are allowed, except methods that reach beyond the page.
 */
import { isWebUrl } from './web-url.ts';

export interface GateView {
  /** The context that the server takes for the browser's default one. */
  contextId: string;
  /** The contexts that the server has created in this episode. */
  ownContexts: ReadonlySet<string>;
  /** The context of a session's target. */
  contextOf(sessionId: string): string;
  hasTarget(targetId: string): boolean;
  /** What the server sees as the target of the browser itself, to which clients attach for a second session at browser level. */
  browserTarget: { readonly targetId: string };
  hasSession(sessionId: string): boolean;
  hasWindow(windowId: number): boolean;
  /** Domains that the gate's owner allows in addition to the usual ones (`Tracing`, where the browser is not shared). */
  extraDomains: ReadonlySet<string>;
}

export interface GateCommand {
  method: string;
  params: Record<string, unknown>;
  /** Undefined: the browser's own session. */
  sessionId: string | undefined;
}

export type Verdict =
  /** `method`: send this command instead. `atRoot`: send it to the browser's own session, whichever session it came from. */
  | { do: 'pass'; method?: string; params: Record<string, unknown>; result?: ResultRule; atRoot?: true }
  | { do: 'answer'; result: Record<string, unknown> }
  /** The answer is the last one: the connection is closed after it, as by a browser that ends. */
  | { do: 'end'; result: Record<string, unknown> }
  | { do: 'make_context'; disposeOnDetach: boolean }
  | { do: 'dispose_context'; contextId: string }
  | { do: 'refuse'; code: number; message: string };

/** How to change the answer before the server sees it. */
export type ResultRule = 'filter_targets' | 'learn_target' | 'learn_session' | 'learn_browser_session' | 'learn_window';

type Rule = (command: GateCommand, view: GateView) => Verdict;

const pass =
  (result?: ResultRule): Rule =>
  ({ params }) => ({ do: 'pass', params, ...(result ? { result } : {}) });

const answer =
  (result: (view: GateView) => Record<string, unknown>): Rule =>
  (_, view) => ({ do: 'answer', result: result(view) });

/** Adds the context where it is missing, and refuses the command where it names a context of others. */
const inContext =
  (result?: ResultRule): Rule =>
  ({ params, sessionId }, view) => {
    const given = params['browserContextId'];
    if (given !== undefined && !isOurContext(given, view)) return noContext();
    const browserContextId = given ?? (sessionId === undefined ? view.contextId : view.contextOf(sessionId));
    return { do: 'pass', params: { ...params, browserContextId }, ...(result ? { result } : {}) };
  };

/** In a page's session Chromium applies these to the default context and ignores a given context (seen), so they are sent to the root session. */
const cookies: Rule = (command, view) => {
  const verdict = inContext()(command, view);
  return verdict.do === 'pass' ? { ...verdict, atRoot: true } : verdict;
};

/** An empty URL is a blank page for `Target.createTarget` and an invalid one for `Page.navigate`; both are harmless. */
const toWeb =
  (rule: Rule): Rule =>
  (command, view) => {
    const { url } = command.params;
    if (url === '' || (typeof url === 'string' && isWebUrl(url))) return rule(command, view);
    return refuse(-32000, 'Cannot navigate there: only web pages (http, https, data, blob, about:blank) can be opened');
  };

const ofTarget =
  (result?: ResultRule): Rule =>
  ({ params }, view) => {
    const { targetId } = params;
    if (targetId !== undefined && !(typeof targetId === 'string' && view.hasTarget(targetId))) return noTarget();
    return { do: 'pass', params, ...(result ? { result } : {}) };
  };

const ofWindow: Rule = ({ params }, view) => {
  const { windowId } = params;
  return typeof windowId === 'number' && view.hasWindow(windowId)
    ? { do: 'pass', params }
    : refuse(-32000, 'Browser window not found');
};

const attach: Rule = (command, view) => {
  // Without `flatten` the traffic of the new session would travel inside other messages, past these rules.
  if (command.params['flatten'] !== true)
    return refuse(-32000, 'Only flattened sessions pass the gate: set "flatten": true');
  const { targetId } = command.params;
  if (targetId === undefined) return noTarget();
  return targetId === view.browserTarget.targetId
    ? attachToBrowser(command, view)
    : ofTarget('learn_session')(command, view);
};

/** A second session at browser level. Its commands are checked like those of the first one. */
const attachToBrowser: Rule = ({ method, sessionId }) =>
  sessionId === undefined
    ? { do: 'pass', method: 'Target.attachToBrowserTarget', params: {}, result: 'learn_browser_session' }
    : unavailable(method);

const infoOfTarget: Rule = (command, view) =>
  command.params['targetId'] === view.browserTarget.targetId
    ? { do: 'answer', result: { targetInfo: view.browserTarget } }
    : ofTarget()(command, view);

/** What would lead requests of the new context past the harness. */
const CONTEXT_SETTINGS = ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess'];

const makeContext: Rule = ({ method, params, sessionId }) => {
  if (sessionId !== undefined) return unavailable(method);
  const setting = CONTEXT_SETTINGS.find((name) => params[name] !== undefined);
  if (setting !== undefined) return refuse(-32000, `A context of this browser cannot have its own "${setting}"`);
  return { do: 'make_context', disposeOnDetach: params['disposeOnDetach'] === true };
};

const disposeContext: Rule = ({ method, params, sessionId }, view) => {
  if (sessionId !== undefined) return unavailable(method);
  const { browserContextId } = params;
  return typeof browserContextId === 'string' && view.ownContexts.has(browserContextId)
    ? { do: 'dispose_context', contextId: browserContextId }
    : noContext();
};

const autoAttach: Rule = ({ params }) => {
  if (params['autoAttach'] === true && params['flatten'] !== true) {
    return refuse(-32000, 'Only flattened sessions pass the gate: set "flatten": true');
  }
  return { do: 'pass', params };
};

const detach: Rule = ({ params }, view) => {
  const { sessionId } = params;
  return typeof sessionId === 'string' && view.hasSession(sessionId)
    ? { do: 'pass', params }
    : refuse(-32602, 'No session with given id');
};

const ownContextOnly: Rule = ({ params }, view) => {
  const given = params['browserContextId'];
  return given === undefined || isOurContext(given, view) ? { do: 'pass', params } : noContext();
};

/** The allowed methods of the Browser and Target domains, in any session. All other methods of these two domains are refused. */
const LISTED: Readonly<Record<string, Rule>> = {
  'Browser.getVersion': pass(),
  // The server gets a success and loses its connection, but the browser belongs to the harness and stays open.
  'Browser.close': () => ({ do: 'end', result: {} }),
  'Browser.getWindowForTarget': ofTarget('learn_window'),
  'Browser.getWindowBounds': ofWindow,
  'Browser.setWindowBounds': ofWindow,
  'Browser.setContentsSize': ofWindow,
  'Browser.grantPermissions': inContext(),
  'Browser.resetPermissions': inContext(),
  'Browser.setPermission': inContext(),
  'Browser.setDownloadBehavior': inContext(),
  'Browser.cancelDownload': inContext(),
  'Storage.getCookies': cookies,
  'Storage.setCookies': cookies,
  'Storage.clearCookies': cookies,
  'Target.getBrowserContexts': answer(({ contextId, ownContexts }) => ({
    browserContextIds: [...ownContexts],
    defaultBrowserContextId: contextId,
  })),
  'Target.createBrowserContext': makeContext,
  'Target.disposeBrowserContext': disposeContext,
  // Puppeteer asks this for every page. No page of the harness has developer tools open.
  'Target.getDevToolsTarget': answer(() => ({})),
  'Target.getTargets': pass('filter_targets'),
  'Target.getTargetInfo': infoOfTarget,
  'Target.setDiscoverTargets': pass(),
  'Target.setAutoAttach': autoAttach,
  'Target.createTarget': toWeb(inContext('learn_target')),
  'Target.attachToTarget': attach,
  'Target.attachToBrowserTarget': attachToBrowser,
  'Target.detachFromTarget': detach,
  'Target.activateTarget': ofTarget(),
  'Target.closeTarget': ofTarget(),
};

/** In a page's session: methods of allowed domains that affect more than that page. */
const PAGE_LISTED: Readonly<Record<string, Rule>> = {
  'Page.navigate': toWeb(pass()),
  // All windows of a headless browser share one set of screens.
  'Emulation.addScreen': ({ method }) => unavailable(method),
  'Emulation.removeScreen': ({ method }) => unavailable(method),
  'Emulation.updateScreen': ({ method }) => unavailable(method),
  'Emulation.setPrimaryScreen': ({ method }) => unavailable(method),
};

/** The domains that a page's session may use. Domains that show or change the whole browser are left out (Tracing, SystemInfo, Memory, Extensions, Tethering, …). */
const PAGE_DOMAINS = new Set(
  (
    'Accessibility Animation Audits Autofill CSS CacheStorage Console DOM DOMDebugger DOMSnapshot DOMStorage Debugger DeviceOrientation ' +
    'Emulation EventBreakpoints FedCm Fetch HeapProfiler IO IndexedDB Input Inspector LayerTree Log Media Network Overlay Page ' +
    'Performance PerformanceTimeline Preload Profiler Runtime Security ServiceWorker WebAudio WebAuthn WebMCP'
  ).split(' '),
);

export function checkCommand(command: GateCommand, view: GateView): Verdict {
  const { method, sessionId } = command;
  if (sessionId !== undefined && !view.hasSession(sessionId)) return refuse(-32001, 'Session with given id not found.');
  const rule = named(LISTED, method) ?? (sessionId === undefined ? undefined : named(PAGE_LISTED, method));
  if (rule) return rule(command, view);
  const domain = domainOf(method);
  if (domain === 'Storage' && sessionId !== undefined) return ownContextOnly(command, view);
  if (view.extraDomains.has(domain)) return { do: 'pass', params: command.params };
  if (sessionId !== undefined && PAGE_DOMAINS.has(domain)) return { do: 'pass', params: command.params };
  return unavailable(method);
}

export function domainOf(method: string): string {
  return method.slice(0, Math.max(0, method.indexOf('.')));
}

function named(rules: Readonly<Record<string, Rule>>, method: string): Rule | undefined {
  return Object.hasOwn(rules, method) ? rules[method] : undefined;
}

/** Commands by which a server acts on a page, in contrast to those that every client sends to every page at its setup. */
const DRIVING = new Set([
  'Page.navigate',
  'Page.reload',
  'Page.navigateToHistoryEntry',
  'Page.bringToFront',
  'Page.handleJavaScriptDialog',
  'DOM.setFileInputFiles',
]);

export function isDriving(method: string): boolean {
  return method.startsWith('Input.') || DRIVING.has(method);
}

function refuse(code: number, message: string): Verdict {
  return { do: 'refuse', code, message };
}

function unavailable(method: string): Verdict {
  return refuse(-32601, `'${method}' is not available: this connection is confined to the contexts of one episode`);
}

function noTarget(): Verdict {
  return refuse(-32602, 'No target with given id found');
}

function isOurContext(given: unknown, { contextId, ownContexts }: GateView): boolean {
  return typeof given === 'string' && (given === contextId || ownContexts.has(given));
}

function noContext(): Verdict {
  return refuse(-32602, 'Failed to find browser context with given id');
}
