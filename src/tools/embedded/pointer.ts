/**
 * The mouse of one tab: where it is, and which button is held between calls. Where a press starts a native drag (HTML drag and drop), a headless browser
 * would wait for a window system that does not exist. The drag is intercepted instead, and its events are sent to what is under the mouse.
 */
import type { Protocol, Session } from '../../chromium/index.ts';
import { type Button, moveMouse, pressMouse, releaseMouse } from './input.ts';

export interface Point {
  x: number;
  y: number;
}

/** How long the browser may take to announce a drag that the page has started. */
const INTERCEPT_MS = 1_000;

interface Held {
  button: Button;
  /** Whether the page has started a native drag since the press. */
  hasDragged: () => Promise<boolean>;
  intercepted: Promise<Protocol.Input.DragData>;
  /** What is dragged, once the drag has started. */
  data?: Protocol.Input.DragData;
  stop(): void;
}

export class Pointer {
  readonly #session: Session;
  #at: Point | undefined;
  #held: Held | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Undefined until a call has moved it. */
  get at(): Point | undefined {
    return this.#at;
  }

  get held(): Button | undefined {
    return this.#held?.button;
  }

  async press(at: Point, button: Button, hasDragged: Held['hasDragged'], signal: AbortSignal): Promise<void> {
    await this.#session.send('Input.setInterceptDrags', { enabled: true }, { signal });
    const { promise: intercepted, resolve } = Promise.withResolvers<Protocol.Input.DragData>();
    const stop = this.#session.on('Input.dragIntercepted', ({ data }) => resolve(data));
    this.#held?.stop();
    this.#held = { button, hasDragged, intercepted, stop };
    this.#at = at;
    await pressMouse(this.#session, at.x, at.y, button, signal);
  }

  async move(to: Point, signal: AbortSignal): Promise<void> {
    const held = this.#held;
    this.#at = to;
    if (held?.data) return this.#dragTo('dragOver', to, held.data, signal);
    await moveMouse(this.#session, to.x, to.y, signal, held?.button);
    if (!held || !(await held.hasDragged())) return;
    const late = AbortSignal.any([signal, AbortSignal.timeout(INTERCEPT_MS)]);
    held.data = await within(held.intercepted, late);
    await this.#dragTo('dragEnter', to, held.data, signal);
    await this.#dragTo('dragOver', to, held.data, signal);
  }

  async release(to: Point, button: Button, signal: AbortSignal): Promise<void> {
    const held = this.#held;
    try {
      if (held?.data) await this.#dragTo('drop', to, held.data, signal);
      await releaseMouse(this.#session, to.x, to.y, button, signal);
    } finally {
      this.#at = to;
      this.#held = undefined;
      held?.stop();
      // The page may be closed after the drop. Then there is no interception to end.
      this.#session.send('Input.setInterceptDrags', { enabled: false }).catch(() => {});
    }
  }

  async #dragTo(
    type: Protocol.Input.DispatchDragEventRequest['type'],
    { x, y }: Point,
    data: Protocol.Input.DragData,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#session.send('Input.dispatchDragEvent', { type, x, y, data }, { signal });
  }
}

function within<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
