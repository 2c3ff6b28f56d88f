/**
 * The witness of one context. It observes what the pages do, whatever drives them, and changes nothing.
 * Network, console, dialogs, downloads and popups come from events; the page itself is observed once per step, within a deadline.
 */
import type { PageFacts, PageNeeded } from '../../contracts/index.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { ContextLogs } from './context-logs.ts';
import { ContextPages } from './context-pages.ts';
import { ContextSettings, type ContextSettingsOptions } from './context-settings.ts';
import type { FrameRequest } from './frame-report.ts';
import { HiddenReads } from './hidden-reads.ts';
import { makeSurroundings } from './make-surroundings.ts';
import type { Observation } from './observation.ts';
import type { PageControl } from './page-controls.ts';
import { PageOwners } from './page-owners.ts';
import { controlsOf, type HowToLook, observePage, scriptsOf } from './page-reads.ts';
import type { PageSet } from './page-set.ts';
import type { PageWatch } from './page-watch.ts';
import type { JsonPage } from './read-json-page.ts';
import type { ScriptFacts } from './read-scripts.ts';
import { type RecorderOptions, RequestRecorder } from './request-recorder.ts';
import { type NoScreenshot, type Screenshot, takeScreenshot } from './screenshot.ts';
import { steadyNow } from './steady-clock.ts';
import type { TargetHub } from './target-hub.ts';

const MAX_ORIGINS = 200;

export interface WitnessOptions extends ContextSettingsOptions {
  /** The folder for downloads. Without it, downloads are refused. */
  downloadFolder?: string | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  onOrigin?: ((origin: string) => void) | undefined;
}

export class Witness {
  readonly contextId: string;
  /** The contexts that it watches: that of the slot, and those that a tool server has created beside it. */
  readonly contexts: ReadonlySet<string>;
  #contexts = new Set<string>();
  #hub: TargetHub;
  readonly #options: Pick<WitnessOptions, 'downloadFolder' | 'onOrigin'>;
  #settings: ContextSettings;
  #pages = new Map<string, PageWatch>();
  #owners = new PageOwners(this.#pages);
  #listener: ContextPages;
  #origins = new Set<string>();
  #crashListeners = new Set<(targetId: string) => void>();
  #logs: ContextLogs;
  #hidden: HiddenReads;
  #recorder: RequestRecorder | undefined;

  private constructor(hub: TargetHub, contextId: string, options: WitnessOptions) {
    this.#hub = hub;
    this.contextId = contextId;
    this.contexts = this.#contexts;
    this.#options = options;
    this.#logs = new ContextLogs(options.now ?? steadyNow);
    this.#settings = new ContextSettings(options, this.#logs);
    const around = makeSurroundings({
      hub,
      logs: this.#logs,
      settings: this.#settings,
      recorder: () => this.#recorder,
      onOrigin: (origin) => this.#addOrigin(origin),
      onCrashed: (targetId) => {
        for (const listener of this.#crashListeners) listener(targetId);
      },
    });
    this.#listener = new ContextPages(this.#pages, this.#owners, around, this.#logs);
    this.#hidden = new HiddenReads({
      hub,
      owners: this.#owners,
      around,
      contextId: () => this.page?.contextId ?? contextId,
    });
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
    this.#hub.listen(contextId, this.#listener);
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
    return this.#listener.serviceWorkers;
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
  observe(request: FrameRequest & HowToLook & { pages?: PageSet } = {}): Promise<Observation> {
    const { timeoutMs, signal, pages = this.main, ...asked } = request;
    return observePage(pages, this.#logs, asked, { timeoutMs, signal });
  }

  /**
   * Whether the page that a lane used last is no longer as at the last look, found out after one of the pauses; at the end of them where it
   * is not. False when the signal aborts, and while a page can't be asked.
   */
  async changed(
    pausesMs: readonly number[],
    { pages = this.main, signal }: { pages?: PageSet; signal: AbortSignal },
  ): Promise<boolean> {
    const { page } = pages;
    if (!page?.isAlive || page.hasCrashed || page.openDialog) return false;
    return page.changed(pausesMs, signal);
  }

  /** What a person could press on the page that a lane used last; empty where the page does not answer. */
  controls(options: { pages?: PageSet; signal?: AbortSignal } = {}): Promise<PageControl[]> {
    return controlsOf(options.pages ?? this.main, options.signal);
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

  /** The JSON that a page of the application shows, read in a page of the harness. The headers are sent by this page alone. */
  readJson(url: string, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<JsonPage> {
    return this.#hidden.json(url, signal, headers);
  }

  /** What a contract asks of a page that no lane has: read like `readJson`. */
  readPage(url: string, needed: PageNeeded, signal: AbortSignal): Promise<PageFacts> {
    return this.#hidden.page(url, needed, signal);
  }

  /** Values of the script of the page that a lane used last. It never throws because of a page. */
  scripts(expressions: readonly string[], options: HowToLook & { pages?: PageSet } = {}): Promise<ScriptFacts> {
    const { pages = this.main, ...how } = options;
    return scriptsOf(pages, expressions, how);
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

  #addOrigin(origin: string): void {
    if (!/^https?:/.test(origin) || this.#origins.size >= MAX_ORIGINS) return;
    this.#origins.add(origin);
    this.#options.onOrigin?.(origin);
  }
}
