/**
 * The witness of one context. It observes what the pages do, whatever drives them, and changes nothing.
 * Network, console, dialogs, downloads and popups come from events; the page itself is observed once per step, within a deadline.
 */
import { createHash } from 'node:crypto';
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import { applyDeterminism, type Determinism } from '../determinism.ts';
import { NetworkGuard, type NetworkPolicy } from '../recordings/network-policy.ts';
import type { FrameReport, FrameRequest } from './frame-report.ts';
import { listenConsole } from './listen-console.ts';
import { listenNetwork } from './listen-network.ts';
import {
  BoundedLog,
  type ConsoleEntry,
  cut,
  type DialogEntry,
  type DownloadEntry,
  type NetworkEntry,
  type PopupEntry,
} from './logs.ts';
import { type PageControl, readControls } from './page-controls.ts';
import { PageOwners } from './page-owners.ts';
import type { PageSet } from './page-set.ts';
import { type Look, PageWatch } from './page-watch.ts';
import { recordRequests } from './record-requests.ts';
import { type RecorderOptions, RequestRecorder } from './request-recorder.ts';
import type { Surroundings } from './surroundings.ts';
import type { ContextListener, TargetHub } from './target-hub.ts';

const OBSERVE_TIMEOUT_MS = 2_000;
const SCREENSHOT_TIMEOUT_MS = 5_000;
const MAX_ORIGINS = 200;

export interface WitnessOptions {
  determinism?: Determinism | undefined;
  network?: NetworkPolicy | undefined;
  /** The folder for downloads. Without it, downloads are refused. */
  downloadFolder?: string | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  onOrigin?: ((origin: string) => void) | undefined;
}

/** One observation. Digests are strings that are equal when nothing changed. */
export interface Observation {
  at: number;
  marker: number;
  targetId: string | undefined;
  /** `ok`: the page answered. Otherwise the fields come from events alone, and the digests are absent. */
  state: Look['state'];
  url: string;
  title: string;
  dom?: string;
  text?: string;
  actionable?: string;
  /** The main frame's report, with the requested leaves. */
  main?: FrameReport;
  frames: { url: string; dom: string }[];
  silentFrames: number;
  /** Of the observed lane. */
  tabs: { targetId: string; url: string; title: string }[];
  /** Of the whole context. */
  counters: { network: number; console: number; dialogs: number; downloads: number; popups: number };
  /** On a page of the lane. */
  dialogOpen: boolean;
}

export interface Screenshot {
  targetId: string;
  data: Buffer;
  /** SHA-256 of the bytes: identical frames are stored once. */
  hash: string;
  takenAt: number;
}

export class Witness implements ContextListener {
  readonly contextId: string;
  readonly network = new BoundedLog<NetworkEntry>(2_000);
  readonly console = new BoundedLog<ConsoleEntry>(1_000);
  readonly dialogs = new BoundedLog<DialogEntry>(500);
  readonly downloads = new BoundedLog<DownloadEntry>(200);
  readonly popups = new BoundedLog<PopupEntry>(200);
  #hub: TargetHub;
  #options: WitnessOptions;
  #guard: NetworkGuard;
  #pages = new Map<string, PageWatch>();
  #owners = new PageOwners(this.#pages);
  #marker = 0;
  #origins = new Set<string>();
  #workers = 0;
  #startedAt: number;
  #now: () => number;
  #around: Surroundings;
  #recorder: RequestRecorder | undefined;

  private constructor(hub: TargetHub, contextId: string, options: WitnessOptions) {
    this.#hub = hub;
    this.contextId = contextId;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
    this.#guard = new NetworkGuard(options.network ?? { mode: 'live' });
    this.#around = this.#surroundings();
  }

  /** Starts watching a context. Call it before the first page is created, so that nothing is missed. */
  static async watch(hub: TargetHub, contextId: string, options: WitnessOptions = {}): Promise<Witness> {
    const witness = new Witness(hub, contextId, options);
    hub.listen(contextId, witness);
    await hub.connection.root.send('Browser.setDownloadBehavior', {
      behavior: options.downloadFolder ? 'allowAndName' : 'deny',
      browserContextId: contextId,
      ...(options.downloadFolder ? { downloadPath: options.downloadFolder } : {}),
      eventsEnabled: true,
    });
    return witness;
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
    return ++this.#marker;
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
    const { main, frames } = look;
    if (page && main) {
      page.url = main.url;
      page.title = main.title;
    }
    return {
      at: this.#now(),
      marker: this.#marker,
      targetId: page?.targetId,
      state: look.state,
      url: page?.url ?? '',
      title: page?.title ?? '',
      ...(main
        ? {
            dom: together(
              main.dom,
              frames.map(({ dom }) => dom),
            ),
            text: together(
              main.text,
              frames.map(({ text }) => text),
            ),
            actionable: together(
              main.actionable,
              frames.map(({ actionable }) => actionable),
            ),
            main,
          }
        : {}),
      frames: frames.map(({ url, dom }) => ({ url, dom })),
      silentFrames: look.silentFrames,
      tabs: pages.pages.map(({ targetId, url, title }) => ({ targetId, url, title })),
      counters: {
        network: this.network.total,
        console: this.console.total,
        dialogs: this.dialogs.total,
        downloads: this.downloads.total,
        popups: this.popups.total,
      },
      dialogOpen: pages.pages.some(({ openDialog }) => openDialog !== undefined),
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
  ): Promise<Screenshot | { failed: string }> {
    const { page } = options.pages ?? this.main;
    if (!page) return { failed: 'no page is open' };
    if (page.hasCrashed) return { failed: 'the page has crashed' };
    // While a dialog is open the browser takes no screenshot, and the request would only use up the deadline.
    if (page.openDialog) return { failed: `a dialog is open (${page.openDialog.type})` };
    try {
      const { data } = await page.session.send(
        'Page.captureScreenshot',
        { format: 'jpeg', quality: 80 },
        { timeoutMs: options.timeoutMs ?? SCREENSHOT_TIMEOUT_MS, signal: options.signal },
      );
      const bytes = Buffer.from(data, 'base64');
      const hash = createHash('sha256').update(bytes).digest('hex');
      return { targetId: page.targetId, data: bytes, hash, takenAt: this.#now() };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  /**
   * Applies settings that depend on the task to a slot that was prepared before. They hold for the open pages and for all later ones.
   * Call it before the first navigation.
   */
  async configure(settings: Pick<WitnessOptions, 'network' | 'determinism'>): Promise<void> {
    const { network, determinism } = settings;
    if (network) this.#guard = new NetworkGuard(network);
    if (determinism) {
      this.#options = { ...this.#options, determinism };
      // The clock starts here, and not when the slot was prepared.
      this.#startedAt = this.#now();
    }
    await Promise.all(
      this.pages.flatMap(({ session }) => [
        ...(determinism ? applyDeterminism(determinism, session, 'page', this.#startedAt) : []),
        ...(network ? this.#guard.apply(session) : []),
      ]),
    );
  }

  /** From here on, requests are reported with their contents, as far as they are wanted. Call it before the first navigation. */
  recordRequests(options: Omit<RecorderOptions, 'now'>): RequestRecorder {
    this.#recorder = new RequestRecorder({ ...options, now: this.#now });
    return this.#recorder;
  }

  /** Stops watching. The slot disposes of the context. */
  stop(): void {
    this.#hub.unlisten(this.contextId);
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
    if (info.openerId) {
      this.popups.add({
        targetId: info.targetId,
        openerId: info.openerId,
        url: cut(info.url),
        at: this.#now(),
        marker: this.#marker,
      });
    }
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
    this.downloads.add({
      guid: event.guid,
      targetId: page.targetId,
      url: cut(event.url),
      suggestedFilename: cut(event.suggestedFilename),
      startedAt: this.#now(),
      marker: this.#marker,
      state: 'inProgress',
      receivedBytes: 0,
    });
    return true;
  }

  onDownloadProgress(event: Protocol.Browser.DownloadProgressEvent): void {
    const entry = this.downloads.entries.find(({ guid }) => guid === event.guid);
    if (!entry) return;
    entry.state = event.state;
    entry.receivedBytes = event.receivedBytes;
  }

  #surroundings(): Surroundings {
    const { connection } = this.#hub;
    return {
      now: this.#now,
      marker: () => this.#marker,
      network: this.network,
      console: this.console,
      recorder: () => this.#recorder,
      session: (sessionId) => connection.session(sessionId),
      forget: (sessionId) => connection.forget(sessionId, 'its page is gone'),
      prepare: (session, kind) => [
        ...(this.#options.determinism
          ? applyDeterminism(this.#options.determinism, session, kind, this.#startedAt)
          : []),
        ...this.#guard.apply(session),
      ],
      onWorker: async (session, targetId) => {
        listenNetwork(session, targetId, this.#around);
        listenConsole(session, targetId, this.#around);
        recordRequests(session, targetId, this.#around);
        await Promise.allSettled([
          session.send('Runtime.enable'),
          session.send('Network.enable', {}),
          ...this.#guard.apply(session),
          session.send('Runtime.runIfWaitingForDebugger'),
        ]);
      },
      onOrigin: (origin) => {
        if (!/^https?:/.test(origin) || this.#origins.size >= MAX_ORIGINS) return;
        this.#origins.add(origin);
        this.#options.onOrigin?.(origin);
      },
      onDialogOpened: (targetId, { type, message, url }) => {
        const entry: DialogEntry = {
          targetId,
          type,
          message: cut(message),
          url: cut(url),
          openedAt: this.#now(),
          marker: this.#marker,
        };
        this.dialogs.add(entry);
        return entry;
      },
      onDialogClosed: (entry, accepted) => {
        entry.closedAt = this.#now();
        entry.accepted = accepted;
      },
    };
  }
}

/** The digest of a page with one frame is the digest of that frame. Further frames are hashed in order. */
function together(main: string, frames: string[]): string {
  if (frames.length === 0) return main;
  return createHash('sha256')
    .update([main, ...frames].join(' '))
    .digest('hex')
    .slice(0, 16);
}
