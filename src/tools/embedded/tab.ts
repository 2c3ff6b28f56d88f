/** One tab as the tools see it: its documents as places. */
import type { PageWatch, Session } from '../../chromium/index.ts';
import { ToolFailure } from './failure.ts';
import { TOOLS_WORLD } from './in-page/source.ts';
import { type Answer, type Asked, dialogOpen, Place, PlaceGone } from './place.ts';
import { Pointer } from './pointer.ts';

export interface Everywhere<M extends 'match' | 'find' | 'read'> {
  place: Place;
  answer: Answer<M>;
}

export class Tab {
  readonly page: PageWatch;
  readonly pointer: Pointer;
  /** Aborted, with the reason, when the tab cannot be used any more. */
  readonly lost = new AbortController();
  /** Whether the next page was requested and has not arrived yet. Until then the browser answers no requests to the old page. */
  isLoading = false;
  readonly #nextLetters: () => string;
  readonly #onPlace: (place: Place) => void;
  #places = new Map<string, Promise<Place>>();
  /** The tools' isolated worlds by session and numeric id. */
  #contexts = new WeakMap<Session, Map<number, string>>();
  /** Acting calls of one tab run one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(page: PageWatch, nextLetters: () => string, onPlace: (place: Place) => void) {
    this.page = page;
    this.pointer = new Pointer(page.session);
    this.#nextLetters = nextLetters;
    this.#onPlace = onPlace;
    void page.session.detached.then(() => this.lost.abort(new ToolFailure('page_gone', 'The tab was closed.')));
    page.session.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
      if (frameId === this.id && !navigationType.endsWith('ameDocument')) this.isLoading = true;
    });
    const loaded = ({ frameId }: { frameId: string }): void => {
      if (frameId === this.id) this.isLoading = false;
    };
    page.session.on('Page.frameNavigated', ({ frame }) => loaded({ frameId: frame.id }));
    page.session.on('Page.frameStoppedLoading', loaded);
    // A page in a background window must behave as if it were in front, because focus, carets and keys depend on it.
    page.session.send('Emulation.setFocusEmulationEnabled', { enabled: true }).catch(() => {});
  }

  get id(): string {
    return this.page.targetId;
  }

  /** Fails at once when a dialog is open, because the call would only wait for it. */
  checkDialog(): void {
    const { openDialog } = this.page;
    if (openDialog) throw dialogOpen(openDialog.type, openDialog.message);
  }

  async inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    const given = Promise.withResolvers<never>();
    const giveUp = (): void => given.reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await Promise.race([before, given.promise]);
      return await work();
    } finally {
      signal.removeEventListener('abort', giveUp);
      resolve();
    }
  }

  main(signal: AbortSignal): Promise<Place> {
    return this.#place(this.page.session, this.id, undefined, signal);
  }

  /** The document in a frame of another origin; undefined while there is none that answers. */
  async foreign(place: Place, number: number, signal: AbortSignal): Promise<Place | undefined> {
    try {
      const frameId = place.frameIds.get(number) ?? (await this.#frameIdOf(place, number, signal));
      if (frameId === undefined) return undefined;
      // A frame in another process has its own session; otherwise it uses the session of its parent.
      const session = this.page.frameSessions.get(frameId) ?? place.session;
      return await this.#place(session, frameId, { place, number }, signal);
    } catch (error) {
      if (signal.aborted || (error instanceof ToolFailure && error.kind === 'dialog_open')) throw error;
      return undefined;
    }
  }

  /** Visits the main document and then its foreign frames, recursively, in page order. */
  async everywhere<M extends 'match' | 'find' | 'read'>(
    method: M,
    request: Asked<M>,
    signal: AbortSignal,
    start?: Place,
  ): Promise<Everywhere<M>[]> {
    const place = start ?? (await this.main(signal));
    const answer = await place.ask(method, request, signal);
    const all: Everywhere<M>[] = [{ place, answer }];
    const foreign = 'foreign' in answer ? answer.foreign : [];
    for (const one of foreign) {
      const number = typeof one === 'number' ? one : one.number;
      const inner = await this.foreign(place, number, signal);
      if (!inner) continue;
      const narrowed = typeof one === 'object' && 'target' in one ? { ...request, target: one.target } : request;
      try {
        all.push(...(await this.everywhere(method, narrowed as Asked<M>, signal, inner)));
      } catch (error) {
        if (!(error instanceof PlaceGone)) throw error;
      }
    }
    return all;
  }

  async #frameIdOf(place: Place, number: number, signal: AbortSignal): Promise<string | undefined> {
    const objectId = await place.handle(number, signal);
    if (objectId === undefined) return undefined;
    const { node } = await place.session.send('DOM.describeNode', { objectId }, { signal });
    if (node.frameId !== undefined) place.frameIds.set(number, node.frameId);
    return node.frameId;
  }

  async #place(session: Session, frameId: string, parent: Place['parent'], signal: AbortSignal): Promise<Place> {
    const known = this.#places.get(frameId);
    if (known) {
      const place = await known;
      if (!place.isGone && place.session === session) return place;
      if (this.#places.get(frameId) === known) this.#places.delete(frameId);
    }
    const making = this.#places.get(frameId) ?? this.#make(session, frameId, parent, signal);
    this.#places.set(frameId, making);
    making.catch(() => {
      if (this.#places.get(frameId) === making) this.#places.delete(frameId);
    });
    return making;
  }

  async #make(session: Session, frameId: string, parent: Place['parent'], signal: AbortSignal): Promise<Place> {
    const contexts = this.#listen(session);
    const { executionContextId } = await session.send(
      'Page.createIsolatedWorld',
      { frameId, worldName: TOOLS_WORLD },
      { signal },
    );
    const contextId = contexts.get(executionContextId);
    if (contextId === undefined) throw new PlaceGone();
    const place = new Place({
      letters: this.#nextLetters(),
      session,
      page: this.page.session,
      frameId,
      contextId,
      parent,
    });
    const stops = [
      session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
        if (executionContextUniqueId === contextId) end();
      }),
      session.on('Runtime.executionContextsCleared', () => end()),
    ];
    const end = (): void => {
      place.end();
      for (const stop of stops) stop();
    };
    this.#onPlace(place);
    return place;
  }

  /** The unique ids of the tools' worlds. Numeric ids are reused by the next process and could name another world. */
  #listen(session: Session): Map<number, string> {
    let contexts = this.#contexts.get(session);
    if (!contexts) {
      const made = new Map<number, string>();
      contexts = made;
      this.#contexts.set(session, made);
      session.on('Runtime.executionContextCreated', ({ context }) => {
        if (context.name === TOOLS_WORLD) made.set(context.id, context.uniqueId);
      });
      session.on('Runtime.executionContextsCleared', () => made.clear());
    }
    return contexts;
  }
}
