/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Finds the point where an element gets the events: it must be visible, stable, enabled, in view and not covered.
 *
 * Stability: where an animation or transition runs on the element or around it, its box must be the same in two consecutive frames.
 * Without an animation there is no wait, because a frame costs more than everything else. A script that moves the element before the
 * event is detected by the guard, which sees the real target of the event.
 */
import type { Aim, InputActions, Kind, Refused } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installAim(actions: InputActions): void {
  const {
    asControl,
    clientLeft,
    clientTop,
    getAnimations,
    getBoundingClientRect,
    getClientRects,
    isConnected,
    nodeType,
    offsetHeight,
    offsetWidth,
    ownerDocument,
    scrollIntoView,
  } = actions.dom;
  type Point = [number, number];
  const refuse = (kind: Kind, message: string): Refused => ({ ok: false, kind, message });

  function hasAnimation(element: Element, fits: (animation: Animation) => boolean): boolean {
    for (let at: Element | null = element; at; at = actions.parent(at)) if (getAnimations(at).some(fits)) return true;
    return false;
  }
  const isMoving = (element: Element): boolean =>
    hasAnimation(element, ({ playState, pending }) => playState === 'running' || pending);

  async function isStill(element: Element): Promise<boolean> {
    const first = getBoundingClientRect(element);
    await actions.nextFrame();
    const second = getBoundingClientRect(element);
    // An animation that has not started yet looks stable too, but not for long.
    if (hasAnimation(element, ({ pending }) => pending)) return false;
    return (
      first.x === second.x && first.y === second.y && first.width === second.width && first.height === second.height
    );
  }

  /** Points inside the visible part of the element, the middle first. */
  function points(element: Element, offset: readonly [number, number] | undefined): Point[] {
    const view = ownerDocument(element).defaultView;
    if (!view) return [];
    const whole = getBoundingClientRect(element);
    if (offset) return [[whole.left + offset[0], whole.top + offset[1]]];
    // A link that wraps to the next line has two boxes with a gap between them.
    const boxes = [...getClientRects(element)].filter(({ width, height }) => width > 0 && height > 0);
    const found: Point[] = [];
    for (const box of boxes.length > 0 ? boxes.slice(0, 4) : [whole]) {
      const left = Math.max(box.left, 0);
      const right = Math.min(box.right, view.innerWidth);
      const top = Math.max(box.top, 0);
      const bottom = Math.min(box.bottom, view.innerHeight);
      if (right <= left || bottom <= top) continue;
      for (const [h, v] of [
        [0.5, 0.5],
        [0.25, 0.25],
        [0.75, 0.25],
        [0.25, 0.75],
        [0.75, 0.75],
      ] as const)
        found.push([left + (right - left) * h, top + (bottom - top) * v]);
    }
    return found;
  }

  /** The first point that hits the element, in the coordinates of this world's topmost document; else the element that covers it. */
  function reach(element: Element, offset: readonly [number, number] | undefined): Point | { cover: Element | null } {
    let cover: Element | null = null;
    for (const [x, y] of points(element, offset)) {
      const point = actions.outward(ownerDocument(element), x, y);
      const hit = actions.hit(...point);
      if (actions.reaches(element, hit)) return point;
      cover ??= hit;
    }
    return { cover };
  }

  async function attempt(
    element: Element,
    purpose: string,
    offset: readonly [number, number] | undefined,
  ): Promise<Point | Refused> {
    const said = actions.describe(element);
    if (!actions.isShown(element) && !shownByLabel(element)) return refuse('not_visible', `${said} is not visible.`);
    if (purpose !== 'hover' && purpose !== 'drop' && actions.isDisabled(element))
      return refuse('disabled', `${said} is disabled.`);
    if (purpose === 'click' && asControl(element)?.type === 'file') {
      return refuse('bad_argument', `${said} takes files: use form_input with their paths.`);
    }
    if (isMoving(element) && !(await isStill(element))) return refuse('not_stable', `${said} is still moving.`);
    const box = shownByLabel(element) ?? element;
    // An element at the edge is scrolled into view first: a menu that opens below it needs space, and scrolling later would close it.
    if (isCutOff(box)) scrollIntoView(box, { behavior: 'instant', block: 'center', inline: 'center' });
    let reached = reach(box, offset);
    for (const block of ['center', 'start', 'end'] as const) {
      if (Array.isArray(reached)) return reached;
      scrollIntoView(box, { behavior: 'instant', block, inline: 'center' });
      reached = reach(box, offset);
    }
    if (Array.isArray(reached)) return reached;
    if (!reached.cover) return refuse('not_visible', `${said} is outside of what can be scrolled into view.`);
    return refuse('obscured', `${said} is covered by ${actions.describe(reached.cover)}.`);
  }

  function isCutOff(element: Element): boolean {
    const view = ownerDocument(element).defaultView;
    if (!view) return false;
    const { top, bottom, left, right, width, height } = getBoundingClientRect(element);
    const out = top < 0 || left < 0 || bottom > view.innerHeight || right > view.innerWidth;
    return out && height <= view.innerHeight && width <= view.innerWidth;
  }

  /** A check box that is hidden behind its styled label is clicked on the label. */
  function shownByLabel(element: Element): Element | undefined {
    if (actions.isShown(element)) return undefined;
    return [...(asControl(element)?.labels ?? [])].find((label) => actions.isShown(label));
  }

  actions.aim = async ({ number, purpose, offset, waitMs }) => {
    const deadline = performance.now() + waitMs;
    const mine = ++aims;
    let waited = false;
    try {
      for (;;) {
        // A new aim replaces the last one, whose guard must not watch the events of this one.
        if (mine !== aims) return refuse('not_stable', 'Something else was aimed at meanwhile.');
        const element = actions.element(number);
        if (!element) return actions.stale(number);
        const result = await attempt(element, purpose, offset);
        if (Array.isArray(result) && mine === aims) {
          if (purpose !== 'drop') actions.guard(element, purpose);
          return { ok: true, x: result[0], y: result[1], line: actions.line(element, actions.role(element), true) };
        }
        if (Array.isArray(result)) continue;
        const left = deadline - performance.now();
        if (left <= 0 || result.kind === 'bad_argument') return result;
        waited = true;
        await actions.change({ since: actions.changes(), ms: left });
      }
    } finally {
      if (waited) actions.rest({});
    }
  };

  actions.through = async ({ number, x, y }) => {
    const frame = actions.element(number);
    if (!frame) return actions.stale(number);
    const inner = (): Point => {
      const box = getBoundingClientRect(frame);
      const style = getComputedStyle(frame);
      const scaleX = box.width / (offsetWidth(frame) || box.width);
      const scaleY = box.height / (offsetHeight(frame) || box.height);
      return actions.outward(
        ownerDocument(frame),
        box.left + (clientLeft(frame) + Number.parseFloat(style.paddingLeft) + x) * scaleX,
        box.top + (clientTop(frame) + Number.parseFloat(style.paddingTop) + y) * scaleY,
      );
    };
    const answer = ([px, py]: Point, scrolled: boolean): Aim & { scrolled: boolean } => ({
      ok: true,
      x: px,
      y: py,
      line: '',
      scrolled,
    });
    let point = inner();
    if (actions.hit(...point) === frame) return answer(point, false);
    scrollIntoView(frame, { behavior: 'instant', block: 'center', inline: 'center' });
    point = inner();
    if (actions.hit(...point) !== frame) {
      ownerDocument(frame).defaultView?.scrollBy({
        left: point[0] - innerWidth / 2,
        top: point[1] - innerHeight / 2,
        behavior: 'instant',
      });
      point = inner();
    }
    const hit = actions.hit(...point);
    if (hit === frame) return answer(point, true);
    if (!hit) return refuse('not_visible', `${actions.describe(frame)} can't be scrolled into view.`);
    return refuse('obscured', `${actions.describe(frame)} is covered by ${actions.describe(hit)}.`);
  };

  const WATCHED = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  let disarm: (() => void) | undefined;
  let seen: 'hit' | 'missed' | 'unseen' = 'unseen';
  let instead = '';
  let dragStarted = false;
  let guarded: Element | undefined;
  /** The number of aims so far. */
  let aims = 0;

  actions.disarm = () => {
    aims++;
    disarm?.();
  };

  /**
   * Watches the targets of the next events. Events for another element are stopped before the page sees them, so that the click
   * did not happen and can be tried again. After the first event that reached the element, all events pass.
   */
  actions.guard = (element, purpose) => {
    disarm?.();
    guarded = element;
    seen = 'unseen';
    instead = '';
    dragStarted = false;
    const view = ownerDocument(element).defaultView;
    if (!view) return;
    const first = purpose === 'hover' ? ['pointermove', 'mousemove'] : WATCHED;
    const check = (event: Event): void => {
      if (seen === 'unseen') {
        const target = event.composedPath()[0] ?? event.target;
        // A script may send an event to the window, which is no node.
        const hit = target === view ? null : (target as Node | null);
        seen = actions.reaches(element, hit) ? 'hit' : 'missed';
        if (seen === 'missed') instead = hit && nodeType(hit) === 1 ? actions.describe(hit as Element) : 'the page';
      }
      if (seen === 'missed' && first === WATCHED) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    };
    const dragging = (event: Event): void => {
      // Checked after the page's own handlers, because a drag that they prevented does not count.
      setTimeout(() => {
        dragStarted = !event.defaultPrevented;
      });
      dragStarted = true;
    };
    for (const type of first) view.addEventListener(type, check, { capture: true });
    view.addEventListener('dragstart', dragging, { capture: true });
    disarm = () => {
      for (const type of first) view.removeEventListener(type, check, { capture: true });
      view.removeEventListener('dragstart', dragging, { capture: true });
      disarm = undefined;
    };
  };

  actions.verdict = ({ rearm }) => {
    if (!rearm) disarm?.();
    const line = guarded && isConnected(guarded) ? actions.line(guarded, actions.role(guarded), true) : '';
    return { seen, dragStarted, line, ...(instead === '' ? {} : { instead }) };
  };
}
