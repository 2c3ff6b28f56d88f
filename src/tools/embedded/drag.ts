/** Dragging: press, move, release. */
import type { Point, Pointer } from './pointer.ts';

/** The number of moves between press and release: enough for pages that measure the distance, and few enough to be fast. */
const STEPS = 4;
/** Pixels. */
const LEAST = 8;

/**
 * `hasDragged` is called after moves and returns whether the page started a native drag.
 * `target` is called late, because the page may show or move the drop target during the drag.
 */
export async function drag(
  pointer: Pointer,
  from: Point,
  target: () => Promise<Point>,
  hasDragged: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  await pointer.press(from, 'left', hasDragged, signal);
  let to = from;
  try {
    to = await target();
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    // A drag starts only after some pixels.
    const start = distance === 0 ? 1 : Math.min(1, Math.max(1 / STEPS, LEAST / distance));
    for (let n = 0; n < STEPS; n++) {
      const part = start + ((1 - start) * n) / (STEPS - 1);
      await pointer.move({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, signal);
    }
  } finally {
    await pointer.release(to, 'left', signal);
  }
}
