/**
 * What the witness keeps for one page: its sessions (the page's own, and one per cross-process frame and worker), the isolated worlds of its
 * frames, and its dialogs. It sets everything up while the page is paused at its start, so that nothing is missed, and then only listens.
 */
import { WaymarkError } from '../../errors/index.ts';
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import type { FrameAnswer, FrameReport, FrameRequest } from './frame-report.ts';
import { WITNESS_SOURCE, WITNESS_WORLD } from './in-page.ts';
import { listenConsole } from './listen-console.ts';
import { listenNetwork } from './listen-network.ts';
import type { DialogEntry } from './logs.ts';
import { recordRequests } from './record-requests.ts';
import type { Surroundings } from './surroundings.ts';

export interface World {
  session: Session;
  frameId: string;
  uniqueId: string;
  /** Of the last report of its document: its regions are sent again only when they have changed. */
  known?: Pick<FrameReport, 'dom' | 'regions'>;
}

export interface Look {
  /**
   * Why the page could not be observed: a dialog is open; its next document does not arrive (the browser holds back all requests to the page
   * in the meantime); its script hangs; its renderer died; it is closed; or the harness's own script threw an error in it.
   */
  state: 'ok' | 'dialog' | 'navigating' | 'unresponsive' | 'crashed' | 'gone' | 'failed';
  /** The error of a look that `failed`. */
  problem?: string;
  main?: FrameReport;
  /** Frames in the order of their URLs. Frames that did not answer are counted separately. */
  frames: FrameReport[];
  silentFrames: number;
}

/** The harness's script threw an error in the page. */
interface Thrown {
  threw: string;
}

/** Characters. */
const MAX_PROBLEM = 500;
/** How much longer than their pauses the checks of a document may take. */
const CHECKS_TIMEOUT_MS = 5_000;

export class PageWatch {
  readonly targetId: string;
  readonly session: Session;
  readonly openerId: string | undefined;
  readonly contextId: string | undefined;
  /** Resolves when the page is set up and running. It never rejects, because a page may close during its setup. */
  readonly ready: Promise<void>;
  url: string;
  title = '';
  openDialog: DialogEntry | undefined;
  /** Sessions of the frames in other processes, by frame id. */
  readonly frameSessions: ReadonlyMap<string, Session>;
  #frameSessions = new Map<string, Session>();
  #around: Surroundings;
  #worlds = new Map<string, World>();
  #mainFrameId: string;
  #newWorld = Promise.withResolvers<void>();
  #crashed = false;
  #onCrashed = Promise.withResolvers<'crashed'>();
  /** The request of a main document that has not arrived yet. */
  #navigation: string | undefined;
  /** A pending observation. Until it ends, the page is not observed again. */
  #pending: Promise<unknown> | undefined;

  constructor(session: Session, info: Protocol.Target.TargetInfo, around: Surroundings) {
    this.session = session;
    this.targetId = info.targetId;
    this.openerId = info.openerId;
    this.contextId = info.browserContextId;
    this.url = info.url;
    this.title = info.title;
    // A page's target id is its main frame's id.
    this.#mainFrameId = info.targetId;
    this.#around = around;
    this.frameSessions = this.#frameSessions;
    // A page that closes before it is set up is noticed by its detached session.
    this.ready = this.#setUp(session, 'page').catch(() => {});
  }

  get hasCrashed(): boolean {
    return this.#crashed;
  }

  get isAlive(): boolean {
    return this.session.isAttached;
  }

  /** The isolated world of each current frame, including cross-process frames. */
  get worlds(): readonly World[] {
    return [...this.#worlds.values()];
  }

  hasFrame(frameId: string): boolean {
    return [...this.#worlds.values()].some((world) => world.frameId === frameId);
  }

  /** One round trip to all frames of the page. It resolves within the time limit, whatever the page does. */
  async look(request: FrameRequest, timeoutMs: number, signal?: AbortSignal): Promise<Look> {
    if (!this.isAlive) return { state: 'gone', frames: [], silentFrames: 0 };
    if (this.#crashed) return { state: 'crashed', frames: [], silentFrames: 0 };
    if (this.openDialog) return { state: 'dialog', frames: [], silentFrames: 0 };
    const deadline = performance.now() + timeoutMs;
    const dialog = Promise.withResolvers<'dialog'>();
    const stop = this.session.on('Page.javascriptDialogOpening', () => dialog.resolve('dialog'));
    const expired = Promise.withResolvers<'expired'>();
    const timer = setTimeout(() => expired.resolve('expired'), timeoutMs);
    const giveUp = (): void => expired.resolve('expired');
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      if (this.#pending) await Promise.race([this.#pending, expired.promise, dialog.promise, this.#onCrashed.promise]);
      const answer = this.#askMain(request, deadline, expired.promise);
      this.#pending = answer.finally(() => {
        this.#pending = undefined;
      });
      const frames = this.#askFrames(request, timeoutMs);
      const main = await Promise.race([answer, expired.promise, dialog.promise, this.#onCrashed.promise]);
      if (main === 'crashed') return { state: 'crashed', frames: [], silentFrames: 0 };
      if (main === 'dialog') return { state: 'dialog', frames: [], silentFrames: 0 };
      if (main === 'expired' || main === undefined) {
        const state = !this.isAlive ? 'gone' : this.#navigation ? 'navigating' : 'unresponsive';
        return { state, frames: [], silentFrames: 0 };
      }
      if ('threw' in main) return { state: 'failed', problem: main.threw, frames: [], silentFrames: 0 };
      const reports =
        frames.length === 0 ? [] : await Promise.all(frames.map((frame) => Promise.race([frame, expired.promise])));
      const answered = reports.filter(isReport);
      // Frames load in any order, and the digests must not depend on it.
      answered.sort((a, b) => (a.url + a.dom < b.url + b.dom ? -1 : 1));
      return { state: 'ok', main, frames: answered, silentFrames: reports.length - answered.length };
    } finally {
      stop();
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /**
   * Whether a document of the page is no longer as at the last look. Each document checks this itself after each pause, which saves a round
   * trip for every check. One that can't be asked, because it is replaced, has changed as far as is known. False when the signal aborts.
   */
  async changed(pausesMs: readonly number[], signal: AbortSignal): Promise<boolean> {
    const changed = Promise.withResolvers<boolean>();
    const asked = this.worlds.map(async (world) => {
      if (await changedIn(world, pausesMs, signal)) changed.resolve(true);
    });
    void Promise.all(asked).then(() => changed.resolve(asked.length === 0));
    return changed.promise;
  }

  /** Evaluates in the main frame's world. When a navigation replaces that world, it uses the new one, until the deadline. */
  async #askMain(
    request: FrameRequest,
    deadline: number,
    expired: Promise<unknown>,
  ): Promise<FrameReport | Thrown | undefined> {
    for (;;) {
      const world = [...this.#worlds.values()].find(({ frameId }) => frameId === this.#mainFrameId);
      const left = deadline - performance.now();
      if (left <= 0 || !this.isAlive) return undefined;
      const report = world ? await this.#ask(world, request, left) : 'no world';
      if (report !== 'no world') return report;
      // A navigation removed the world; the next one will be announced.
      this.#worlds.delete(world?.uniqueId ?? '');
      await Promise.race([this.#newWorld.promise, expired, this.session.detached]);
    }
  }

  #askFrames(request: FrameRequest, timeoutMs: number): Promise<FrameReport | Thrown | string | undefined>[] {
    if (this.#worlds.size <= 1) return [];
    const others = [...this.#worlds.values()].filter(({ frameId }) => frameId !== this.#mainFrameId);
    // Leaves are read from the main frame only, because `>>>` reaches everything that the contract may see.
    return others.map((world) => this.#ask(world, request.full ? { full: true } : {}, timeoutMs));
  }

  /** Undefined: there was no answer in time. */
  async #ask(
    world: World,
    request: FrameRequest,
    timeoutMs: number,
  ): Promise<FrameReport | Thrown | 'no world' | undefined> {
    const known = request.full ? undefined : world.known;
    const asked = { ...request, ...(known ? { known: known.dom } : {}) };
    try {
      const { result, exceptionDetails } = await world.session.send(
        'Runtime.evaluate',
        {
          expression: `waymark.${request.afterPaint ? 'observePainted' : 'observe'}(${JSON.stringify(asked)})`,
          uniqueContextId: world.uniqueId,
          returnByValue: true,
          ...(request.afterPaint ? { awaitPromise: true } : {}),
        },
        { timeoutMs },
      );
      if (!exceptionDetails) {
        const answer = result.value as FrameAnswer;
        const report = { ...answer, regions: answer.regions ?? known?.regions ?? {} };
        world.known = { dom: report.dom, regions: report.regions };
        return report;
      }
      const { exception, text } = exceptionDetails;
      return { threw: (exception?.description ?? text).slice(0, MAX_PROBLEM) };
    } catch (error) {
      return error instanceof WaymarkError && error.code === 'cdp_refused' ? 'no world' : undefined;
    }
  }

  /** All requests are sent at once, in order, and the browser processes them before it lets the page run. */
  async #setUp(session: Session, kind: 'page' | 'iframe'): Promise<void> {
    const { targetId } = this;
    const around = this.#around;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const aux = context.auxData as { frameId?: string; type?: string } | undefined;
      if (context.name !== WITNESS_WORLD || !aux?.frameId) return;
      this.#worlds.set(context.uniqueId, { session, frameId: aux.frameId, uniqueId: context.uniqueId });
      this.#newWorld.resolve();
      this.#newWorld = Promise.withResolvers();
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      this.#worlds.delete(executionContextUniqueId);
    });
    session.on('Runtime.executionContextsCleared', () => {
      for (const world of this.#worlds.values()) if (world.session === session) this.#worlds.delete(world.uniqueId);
    });
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId }) => {
      if (requestId === loaderId && frameId === this.#mainFrameId) this.#navigation = requestId;
    });
    session.on('Network.loadingFailed', ({ requestId }) => {
      if (requestId === this.#navigation) this.#navigation = undefined;
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.#mainFrameId) this.#navigation = undefined;
    });
    if (kind === 'page') session.on('Inspector.targetCrashed', () => this.#onCrash());
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === this.#mainFrameId) {
        this.#navigation = undefined;
        this.#crashed = false;
      }
      around.onOrigin(frame.securityOrigin);
      if (frame.id === this.#mainFrameId) this.url = frame.url + (frame.urlFragment ?? '');
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#mainFrameId) this.url = url;
    });
    session.on('Page.javascriptDialogOpening', (dialog) => {
      this.openDialog = around.onDialogOpened(targetId, dialog);
    });
    session.on('Page.javascriptDialogClosed', ({ result }) => {
      if (this.openDialog) around.onDialogClosed(this.openDialog, result);
      this.openDialog = undefined;
    });
    session.on('Target.attachedToTarget', (event) => this.#onChild(event));
    session.on('Target.detachedFromTarget', ({ sessionId }) => around.forget(sessionId));
    listenNetwork(session, targetId, around);
    listenConsole(session, targetId, around);
    recordRequests(session, targetId, around);

    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Network.enable', {}),
      session.send('Log.enable'),
      session.send('Inspector.enable'),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: WITNESS_SOURCE,
        worldName: WITNESS_WORLD,
        runImmediately: true,
      }),
      ...around.prepare(session, kind),
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      this.#resume(session, kind),
    ]);
  }

  /** A frame in another process waits for each of its sessions. A page does not, so the servers' sessions come first. */
  async #resume(session: Session, kind: 'page' | 'iframe'): Promise<void> {
    if (kind === 'page') await this.#around.untilResumed(this.targetId);
    await session.send('Runtime.runIfWaitingForDebugger');
  }

  /** The renderer has crashed, so pending requests get no answer. The tab still exists and can be navigated. */
  #onCrash(): void {
    this.#crashed = true;
    this.#worlds.clear();
    this.openDialog = undefined;
    this.#onCrashed.resolve('crashed');
    this.#onCrashed = Promise.withResolvers();
    this.#around.onCrashed(this.targetId);
  }

  /** Sets up frames in other processes, and workers. */
  #onChild(event: Protocol.Target.AttachedToTargetEvent): void {
    const session = this.#around.session(event.sessionId);
    if (event.targetInfo.type === 'iframe') {
      const frameId = event.targetInfo.targetId;
      this.#frameSessions.set(frameId, session);
      void session.detached.then(() => {
        if (this.#frameSessions.get(frameId) === session) this.#frameSessions.delete(frameId);
        for (const world of this.#worlds.values()) if (world.session === session) this.#worlds.delete(world.uniqueId);
      });
      // A frame may be gone before it is set up; then there is nothing to watch.
      void this.#setUp(session, 'iframe').catch(() => {});
      return;
    }
    // A worker may end before it is set up; then there is nothing to watch.
    void this.#around.onWorker(session, this.targetId).catch(() => {});
  }
}

/** Whether the document of a world has changed, or is gone. */
async function changedIn(
  { session, uniqueId }: World,
  pausesMs: readonly number[],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { result } = await session.send(
      'Runtime.evaluate',
      {
        expression: `waymark.changed(${JSON.stringify(pausesMs)})`,
        uniqueContextId: uniqueId,
        returnByValue: true,
        awaitPromise: true,
      },
      { timeoutMs: pausesMs.reduce((sum, pauseMs) => sum + pauseMs, CHECKS_TIMEOUT_MS), signal },
    );
    return result.value !== false;
  } catch {
    // Its frame has navigated, or is gone.
    return !signal.aborted;
  }
}

function isReport(report: FrameReport | Thrown | string | undefined): report is FrameReport {
  return typeof report === 'object' && !('threw' in report);
}
