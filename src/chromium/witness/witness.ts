/**
 * The witness of one context: it sees what its pages do, whoever drives them, and changes nothing.
 * Network, console, dialogs, downloads and popups come from events; the page itself is asked once a step, within a deadline.
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
import { type Look, PageWatch } from './page-watch.ts';
import type { Surroundings } from './surroundings.ts';
import type { ContextListener, TargetHub } from './target-hub.ts';

const OBSERVE_TIMEOUT_MS = 2_000;
const SCREENSHOT_TIMEOUT_MS = 5_000;
const MAX_ORIGINS = 200;

export interface WitnessOptions {
  determinism?: Determinism | undefined;
  network?: NetworkPolicy | undefined;
  /** Where downloads go; without it they are refused. */
  downloadFolder?: string | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  onOrigin?: ((origin: string) => void) | undefined;
}

/** What the witness says of one moment. Digests are strings that are equal when nothing changed. */
export interface Observation {
  at: number;
  marker: number;
  targetId: string | undefined;
  /** `ok`: the page answered. Otherwise what stands here comes from events alone, and digests are absent. */
  state: Look['state'];
  url: string;
  title: string;
  dom?: string;
  text?: string;
  actionable?: string;
  /** The main frame's report, with the leaves that were asked for. */
  main?: FrameReport;
  frames: { url: string; dom: string }[];
  silentFrames: number;
  tabs: { targetId: string; url: string; title: string }[];
  counters: { network: number; console: number; dialogs: number; downloads: number; popups: number };
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
  /** Target ids, the one used last at the end. */
  #used: string[] = [];
  #marker = 0;
  #origins = new Set<string>();
  #workers = 0;
  #startedAt: number;
  #now: () => number;
  #around: Surroundings;

  private constructor(hub: TargetHub, contextId: string, options: WitnessOptions) {
    this.#hub = hub;
    this.contextId = contextId;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
    this.#guard = new NetworkGuard(options.network ?? { mode: 'live' });
    this.#around = this.#surroundings();
  }

  /** Begins to watch a context. Ask before its first page is made, so that nothing is missed. */
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

  /** The page that the agent used last. */
  get page(): PageWatch | undefined {
    for (let i = this.#used.length - 1; i >= 0; i--) {
      const page = this.#pages.get(this.#used[i] ?? '');
      if (page?.isAlive) return page;
    }
    return undefined;
  }

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

  /** Says which page an action went to. */
  use(targetId: string): void {
    if (!this.#pages.has(targetId) || this.#used[this.#used.length - 1] === targetId) return;
    this.#used = [...this.#used.filter((id) => id !== targetId), targetId];
  }

  /** A tool call is about to be sent: what happens from now on carries its number. */
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

  /** One round trip to the page, bounded in time. Never throws for what a page does. */
  async observe(request: FrameRequest & { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<Observation> {
    const { timeoutMs = OBSERVE_TIMEOUT_MS, signal, ...asked } = request;
    const page = this.page;
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
      tabs: this.pages.map(({ targetId, url, title }) => ({ targetId, url, title })),
      counters: {
        network: this.network.total,
        console: this.console.total,
        dialogs: this.dialogs.total,
        downloads: this.downloads.total,
        popups: this.popups.total,
      },
      dialogOpen: this.pages.some(({ openDialog }) => openDialog !== undefined),
    };
  }

  /** The picture of the page, or the reason why there is none. Never throws for what a page does. */
  async screenshot(
    options: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Screenshot | { failed: string }> {
    const page = this.page;
    if (!page) return { failed: 'no page is open' };
    if (page.hasCrashed) return { failed: 'the page has crashed' };
    // While a dialog is open the browser answers no screenshot; asking would only cost the deadline.
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
   * Settings that only the task knows, for a slot that was prepared before: in force for the pages that are open and for all that will be.
   * To be called before anything is shown.
   */
  async configure(settings: Pick<WitnessOptions, 'network' | 'determinism'>): Promise<void> {
    const { network, determinism } = settings;
    if (network) this.#guard = new NetworkGuard(network);
    if (determinism) {
      this.#options = { ...this.#options, determinism };
      // The clock runs from here, not from when the slot was prepared.
      this.#startedAt = this.#now();
    }
    await Promise.all(
      this.pages.flatMap(({ session }) => [
        ...(determinism ? applyDeterminism(determinism, session, 'page', this.#startedAt) : []),
        ...(network ? this.#guard.apply(session) : []),
      ]),
    );
  }

  /** Stops watching; the context itself is its slot's. */
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
    // A popup does not become "the" page by opening: the agent has not used it yet.
    if (this.#used.length === 0) this.#used.push(info.targetId);
    else this.#used.unshift(info.targetId);
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
      this.#used = this.#used.filter((id) => id !== info.targetId);
    });
  }

  onTargetChanged(info: Protocol.Target.TargetInfo): void {
    const page = this.#pages.get(info.targetId);
    if (!page) return;
    page.url = info.url;
    page.title = info.title;
  }

  onDownloadBegin(event: Protocol.Browser.DownloadWillBeginEvent): boolean {
    if (!this.pages.some((page) => page.targetId === event.frameId || page.hasFrame(event.frameId))) return false;
    this.downloads.add({
      guid: event.guid,
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

/** A page of one frame is its own digest; frames are hashed in by their order. */
function together(main: string, frames: string[]): string {
  if (frames.length === 0) return main;
  return createHash('sha256')
    .update([main, ...frames].join(' '))
    .digest('hex')
    .slice(0, 16);
}
