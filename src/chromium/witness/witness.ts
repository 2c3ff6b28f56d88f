/**
 * The witness of one context. It observes what the pages do, whatever drives them, and changes nothing.
 * Network, console, dialogs, downloads and popups come from events; the page itself is observed once per step, within a deadline.
 */
import type { DomFacts, DomNeeded } from '../../contracts/index.ts';
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import { ContextLogs } from './context-logs.ts';
import { ContextSettings, type ContextSettingsOptions } from './context-settings.ts';
import type { FrameRequest } from './frame-report.ts';
import { openHiddenPage } from './hidden-page.ts';
import { type Observation, observationOf } from './observation.ts';
import { type PageControl, readControls } from './page-controls.ts';
import { PageOwners } from './page-owners.ts';
import type { PageSet } from './page-set.ts';
import { type Look, PageWatch } from './page-watch.ts';
import { type JsonPage, readJsonPage } from './read-json-page.ts';
import { readPage } from './read-page.ts';
import { readScripts, type ScriptFacts } from './read-scripts.ts';
import { type RecorderOptions, RequestRecorder } from './request-recorder.ts';
import { type NoScreenshot, type Screenshot, takeScreenshot } from './screenshot.ts';
import { steadyNow } from './steady-clock.ts';
import type { Surroundings } from './surroundings.ts';
import type { ContextListener, TargetHub } from './target-hub.ts';
import { watchWorker } from './watch-worker.ts';

const OBSERVE_TIMEOUT_MS = 2_000;
const MAX_ORIGINS = 200;

export interface WitnessOptions extends ContextSettingsOptions {
  /** The folder for downloads. Without it, downloads are refused. */
  downloadFolder?: string | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  onOrigin?: ((origin: string) => void) | undefined;
}

export class Witness implements ContextListener {
  readonly contextId: string;
  /** The contexts that it watches: that of the slot, and those that a tool server has created beside it. */
  readonly contexts: ReadonlySet<string>;
  #contexts = new Set<string>();
  #hub: TargetHub;
  readonly #options: Pick<WitnessOptions, 'downloadFolder' | 'onOrigin'>;
  #settings: ContextSettings;
  #pages = new Map<string, PageWatch>();
  #owners = new PageOwners(this.#pages);
  #origins = new Set<string>();
  #workers = 0;
  #crashListeners = new Set<(targetId: string) => void>();
  #logs: ContextLogs;
  #around: Surroundings;
  #recorder: RequestRecorder | undefined;

  private constructor(hub: TargetHub, contextId: string, options: WitnessOptions) {
    this.#hub = hub;
    this.contextId = contextId;
    this.contexts = this.#contexts;
    this.#options = options;
    this.#logs = new ContextLogs(options.now ?? steadyNow);
    this.#settings = new ContextSettings(options, this.#logs);
    this.#around = this.#surroundings();
  }

  /** Starts watching a context. Call it before the first page is created, so that nothing is missed. */
  static async watch(hub: TargetHub, contextId: string, options: WitnessOptions = {}): Promise<Witness> {
    const witness = new Witness(hub, contextId, options);
    await witness.watchContext(contextId);
    return witness;
  }

  /** Watches a further context of the same episode as well. Call it before its first page is created. */
  async watchContext(contextId: string): Promise<void> {
    const { downloadFolder } = this.#options;
    this.#contexts.add(contextId);
    this.#hub.listen(contextId, this);
    await this.#hub.connection.root.send('Browser.setDownloadBehavior', {
      behavior: downloadFolder ? 'allowAndName' : 'deny',
      browserContextId: contextId,
      ...(downloadFolder ? { downloadPath: downloadFolder } : {}),
      eventsEnabled: true,
    });
  }

  /** The context is gone. */
  forgetContext(contextId: string): void {
    this.#contexts.delete(contextId);
    this.#hub.unlisten(contextId);
  }

  get network(): ContextLogs['network'] {
    return this.#logs.network;
  }

  get console(): ContextLogs['console'] {
    return this.#logs.console;
  }

  get dialogs(): ContextLogs['dialogs'] {
    return this.#logs.dialogs;
  }

  get downloads(): ContextLogs['downloads'] {
    return this.#logs.downloads;
  }

  get popups(): ContextLogs['popups'] {
    return this.#logs.popups;
  }

  /** The time by which everything in its logs is dated. */
  now(): number {
    return this.#logs.now();
  }

  /** The pages of the main lane, or all pages where there is no other lane. */
  get main(): PageSet {
    return this.#owners.main;
  }

  /** The page of the main lane that was used last. */
  get page(): PageWatch | undefined {
    return this.main.page;
  }

  /** Of all lanes. */
  get pages(): PageWatch[] {
    return [...this.#pages.values()];
  }

  get serviceWorkers(): number {
    return this.#workers;
  }

  /** Origins whose documents were shown in this context, in any frame. */
  get origins(): ReadonlySet<string> {
    return this.#origins;
  }

  /** Records which page an action went to. */
  use(targetId: string): void {
    this.#owners.known(targetId)?.use(targetId);
  }

  /** The lane that a page belongs to; undefined for a target that belongs to no page. */
  ownerOf(targetId: string): PageSet | undefined {
    return this.#owners.known(targetId);
  }

  /** Whether a lane may see a target of this context. */
  owns(pages: PageSet, info: Protocol.Target.TargetInfo): boolean {
    return this.#owners.owns(pages, info);
  }

  /** A page that `work` creates belongs to the lane. */
  makeFor<T>(pages: PageSet, work: () => Promise<T>): Promise<T> {
    return this.#owners.make(pages, work);
  }

  /** Opens a tab for a lane and waits until it is set up and running. */
  async openTab(
    pages: PageSet,
    options: { newWindow?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<PageWatch> {
    const { newWindow, signal } = options;
    const { targetId } = await this.makeFor(pages, () =>
      this.#hub.connection.root.send(
        'Target.createTarget',
        { url: 'about:blank', browserContextId: this.contextId, ...(newWindow ? { newWindow } : {}) },
        { signal },
      ),
    );
    return this.pageReady(targetId, signal);
  }

  /** Creates the pages of another lane: a first tab, in a separate window where the browser has windows. */
  async openLane(signal?: AbortSignal): Promise<PageSet> {
    const pages = this.#owners.open();
    await this.openTab(pages, { newWindow: true, signal });
    // The first observation compiles the script in the page. It is made here, so that no call waits for it.
    await this.observe({ pages });
    return pages;
  }

  /** Call it before a tool call is sent. Later events carry the number of that call. */
  mark(): number {
    return ++this.#logs.marker;
  }

  /** Waits until a page of the context is set up and running. */
  async pageReady(targetId: string, signal?: AbortSignal): Promise<PageWatch> {
    while (!this.#pages.has(targetId)) {
      await this.#hub.connection.root.next(
        'Target.attachedToTarget',
        (event) => event.targetInfo.targetId === targetId,
        { signal },
      );
    }
    const page = this.#pages.get(targetId) as PageWatch;
    await page.ready;
    return page;
  }

  /** One round trip to the page that a lane used last, within a time limit. It never throws because of a page. */
  async observe(
    request: FrameRequest & { pages?: PageSet; timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Observation> {
    const { timeoutMs = OBSERVE_TIMEOUT_MS, signal, pages = this.main, ...asked } = request;
    const { page } = pages;
    const look: Look = page
      ? await page.look(asked, timeoutMs, signal)
      : { state: 'gone', frames: [], silentFrames: 0 };
    if (page && look.main) {
      page.url = look.main.url;
      page.title = look.main.title;
    }
    return {
      at: this.#logs.now(),
      marker: this.#logs.marker,
      targetId: page?.targetId,
      url: page?.url ?? '',
      title: page?.title ?? '',
      counters: this.#logs.counters,
      ...observationOf(look, pages),
    };
  }

  /** What a person could press on the page that a lane used last; empty where the page does not answer. */
  async controls(options: { pages?: PageSet; signal?: AbortSignal } = {}): Promise<PageControl[]> {
    const { page } = options.pages ?? this.main;
    if (!page || page.hasCrashed || page.openDialog) return [];
    const how = { timeoutMs: OBSERVE_TIMEOUT_MS, signal: options.signal };
    // A page may close or navigate in the meantime; then it has no controls to name.
    return readControls(page.session, how).catch(() => []);
  }

  /** A screenshot of the page that a lane used last, or the reason why there is none. It never throws because of a page. */
  async screenshot(
    options: { pages?: PageSet; timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Screenshot | NoScreenshot> {
    const { pages = this.main, ...how } = options;
    return takeScreenshot(pages.page, { ...how, now: this.#logs.now });
  }

  /**
   * Applies settings that depend on the task to a slot that was prepared before. They hold for the open pages and for all later ones.
   * Call it before the first navigation.
   */
  async configure(settings: Pick<WitnessOptions, 'network' | 'determinism'>): Promise<void> {
    await this.#settings.change(settings, this.pages);
  }

  /** From here on, requests are reported with their contents, as far as they are wanted. Call it before the first navigation. */
  recordRequests(options: Omit<RecorderOptions, 'now'>): RequestRecorder {
    this.#recorder = new RequestRecorder({ ...options, now: this.#logs.now });
    return this.#recorder;
  }

  /**
   * The JSON that a page of the application shows, read in a page of the harness with the settings of the context. Nothing that it does
   * stands in the logs. The headers are sent by this page alone.
   */
  async readJson(url: string, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<JsonPage> {
    return this.#inHiddenPage(url, signal, (session) => readJsonPage(session, url, signal, headers));
  }

  /** What a contract asks of a page that no lane has: read like `readJson`, with the settings and the cookies of the context. */
  async readPage(url: string, needed: DomNeeded, signal: AbortSignal): Promise<DomFacts> {
    return this.#inHiddenPage(url, signal, (session) => readPage(session, url, needed, signal));
  }

  /** Values of the script of the page that a lane used last. It never throws because of a page. */
  async scripts(
    expressions: readonly string[],
    options: { pages?: PageSet; timeoutMs?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<ScriptFacts> {
    const { pages = this.main, timeoutMs = OBSERVE_TIMEOUT_MS, signal } = options;
    const { page } = pages;
    if (!page || page.hasCrashed || page.openDialog)
      return { unavailable: { script: 'The page cannot be asked: it is closed, has crashed, or shows a dialog.' } };
    return readScripts(page.session, expressions, { timeoutMs, signal });
  }

  async #inHiddenPage<T>(url: string, signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    // In the context of the page that was used last: a session that the agent has opened is valid there.
    const contextId = this.page?.contextId ?? this.contextId;
    await using page = await openHiddenPage(this.#hub, contextId, this.#owners, signal);
    await Promise.all([
      ...this.#around.prepare(page.session, 'page'),
      page.session.send('Runtime.runIfWaitingForDebugger', undefined, { signal }),
    ]);
    this.#around.onOrigin(URL.parse(url)?.origin ?? '');
    return await work(page.session);
  }

  /** Calls the listener when the renderer of a page has crashed. Returns a function that unsubscribes. */
  onCrash(listener: (targetId: string) => void): () => void {
    this.#crashListeners.add(listener);
    return () => this.#crashListeners.delete(listener);
  }

  /** Stops watching. The slot disposes of the context. */
  stop(): void {
    for (const contextId of this.#contexts) this.#hub.unlisten(contextId);
  }

  onTarget(session: Session, info: Protocol.Target.TargetInfo): void {
    if (info.type !== 'page') {
      if (info.type === 'service_worker') this.#workers++;
      // A worker may end before it is set up; then there is nothing to watch.
      void this.#around.onWorker(session, info.targetId).catch(() => {});
      return;
    }
    const page = new PageWatch(session, info, this.#around);
    this.#pages.set(info.targetId, page);
    const pages = this.#owners.of(info);
    pages.add(info.targetId);
    this.#logs.popupOpened(info);
    void session.detached.then(() => {
      this.#pages.delete(info.targetId);
      pages.delete(info.targetId);
    });
  }

  onTargetChanged(info: Protocol.Target.TargetInfo): void {
    const page = this.#pages.get(info.targetId);
    if (!page) return;
    page.url = info.url;
    page.title = info.title;
  }

  onDownloadBegin(event: Protocol.Browser.DownloadWillBeginEvent): boolean {
    const page =
      this.pages.find(({ targetId }) => targetId === event.frameId) ??
      this.pages.find((each) => each.hasFrame(event.frameId));
    if (!page) return false;
    this.#logs.downloadBegun(page.targetId, event);
    return true;
  }

  onDownloadProgress(event: Protocol.Browser.DownloadProgressEvent): void {
    this.#logs.downloadProgressed(event);
  }

  #surroundings(): Surroundings {
    const { connection } = this.#hub;
    const logs = this.#logs;
    return {
      now: logs.now,
      marker: () => logs.marker,
      network: logs.network,
      console: logs.console,
      wasBlocked: (requestId, url) => logs.wasBlocked(requestId, url),
      blocksSocket: (url) => this.#settings.blocksSocket(url),
      recorder: () => this.#recorder,
      session: (sessionId) => connection.session(sessionId),
      forget: (sessionId) => connection.forget(sessionId, 'its page is gone'),
      prepare: (session, kind) => this.#settings.forPage(session, kind),
      untilResumed: async (targetId) => {
        const { pausedPages, root } = connection;
        if (!pausedPages.hasClients) return;
        // A page is announced to all its clients at once, so the answer to a later request comes after the last announcement.
        await root.send('Target.getTargetInfo', { targetId });
        await pausedPages.untilResumed(targetId);
      },
      onWorker: (session, targetId) => watchWorker(session, targetId, this.#around, this.#settings),
      onOrigin: (origin) => {
        if (!/^https?:/.test(origin) || this.#origins.size >= MAX_ORIGINS) return;
        this.#origins.add(origin);
        this.#options.onOrigin?.(origin);
      },
      onCrashed: (targetId) => {
        for (const listener of this.#crashListeners) listener(targetId);
      },
      onDialogOpened: (targetId, dialog) => logs.dialogOpened(targetId, dialog),
      onDialogClosed: (entry, accepted) => logs.dialogClosed(entry, accepted),
    };
  }
}
