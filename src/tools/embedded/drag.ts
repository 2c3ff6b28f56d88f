/**
 * Dragging: press, move, release. Where the press starts a native drag (HTML drag and drop), a headless browser would wait for a
 * window system that does not exist. The drag is intercepted instead, and its events are sent to the target.
 */
import type { Protocol, Session } from '../../chromium/index.ts';
import type { Call } from './call.ts';
import { moveMouse, pressMouse, releaseMouse } from './input.ts';

export interface Point {
  x: number;
  y: number;
}

/** The number of moves between press and release: enough for pages that measure the distance, and few enough to be fast. */
const STEPS = 4;
/** Pixels. */
const LEAST = 8;
const INTERCEPT_MS = 1_000;

/**
 * `hasDragged` is called after the first moves and returns whether the page started a native drag.
 * `target` is called late, because the page may show or move the drop target during the drag.
 */
export async function drag(
  call: Call,
  session: Session,
  from: Point,
  target: () => Promise<Point>,
  hasDragged: () => Promise<boolean>,
): Promise<void> {
  const { signal } = call;
  await session.send('Input.setInterceptDrags', { enabled: true }, { signal });
  try {
    const intercepted = session.next('Input.dragIntercepted', undefined, { signal, timeoutMs: INTERCEPT_MS });
    // It is awaited below; until then a rejection must not count as unhandled.
    intercepted.catch(() => {});
    await pressMouse(session, from.x, from.y, signal);
    const to = await target().catch(async (error: unknown) => {
      await releaseMouse(session, from.x, from.y, signal);
      throw error;
    });
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    // A drag starts only after some pixels.
    const start = distance === 0 ? 1 : Math.min(1, Math.max(1 / STEPS, LEAST / distance));
    const at = (part: number): Point => ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
    const first = at(start);
    await moveMouse(session, first.x, first.y, signal, 'left');
    if (await hasDragged()) {
      const { data } = await intercepted;
      await drop(session, first, to, data, signal);
    } else {
      for (let n = 2; n <= STEPS; n++) {
        const { x, y } = at(start + ((1 - start) * (n - 1)) / (STEPS - 1));
        await moveMouse(session, x, y, signal, 'left');
      }
    }
    await releaseMouse(session, to.x, to.y, signal);
  } finally {
    // The page may be closed after the drop. Then there is no interception to end.
    session.send('Input.setInterceptDrags', { enabled: false }).catch(() => {});
  }
}

async function drop(
  session: Session,
  over: Point,
  to: Point,
  data: Protocol.Input.DragData,
  signal: AbortSignal,
): Promise<void> {
  const send = (type: Protocol.Input.DispatchDragEventRequest['type'], { x, y }: Point): Promise<unknown> =>
    session.send('Input.dispatchDragEvent', { type, x, y, data }, { signal });
  await send('dragEnter', over);
  await send('dragOver', over);
  await send('dragOver', to);
  await send('drop', to);
}
