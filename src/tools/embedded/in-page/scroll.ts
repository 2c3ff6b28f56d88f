/// <reference lib="dom" />
/** Scrolling: what moved, and when it has stopped. */
import type { InputActions, ScrollState } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installScroll(actions: InputActions): void {
  const { clientHeight, clientWidth, scrollHeight, scrollIntoView, scrollLeft, scrollTop, scrollWidth } = actions.dom;
  let events = 0;
  let atRest = true;
  let watched: Element | null | undefined;
  let listening = false;

  const onScroll = (): void => {
    events++;
    atRest = false;
  };
  const onEnd = (): void => {
    atRest = true;
  };

  /** The nearest scrollable ancestor of the element, or else the document. */
  function scroller(start: Element | undefined): Element | null {
    for (let at: Element | null = start ?? null; at; at = actions.parent(at)) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const tall = scrollHeight(at) > clientHeight(at) && /auto|scroll/.test(overflowY);
      const wide = scrollWidth(at) > clientWidth(at) && /auto|scroll/.test(overflowX);
      if (tall || wide) return at;
    }
    return document.scrollingElement;
  }

  function state(): ScrollState {
    return {
      x: Math.round(watched ? scrollLeft(watched) : 0),
      y: Math.round(watched ? scrollTop(watched) : 0),
      events,
      atRest,
      middle: [innerWidth / 2, innerHeight / 2],
    };
  }

  /** Whether the page as a whole can scroll further in this direction. */
  function pageScrolls([x, y]: readonly [number, number]): boolean {
    const page = document.scrollingElement;
    if (!page || getComputedStyle(page).overflowY === 'hidden') return false;
    if (y !== 0) return y > 0 ? scrollTop(page) + innerHeight < scrollHeight(page) - 1 : scrollTop(page) > 0;
    return x > 0 ? scrollLeft(page) + innerWidth < scrollWidth(page) - 1 : scrollLeft(page) > 0;
  }

  actions.scrollWatch = ({ number, by }) => {
    const middle = actions.hit(innerWidth / 2, innerHeight / 2) ?? undefined;
    const byPage = number === undefined && pageScrolls(by);
    watched = byPage ? document.scrollingElement : scroller(number === undefined ? middle : actions.element(number));
    events = 0;
    atRest = true;
    if (!listening) {
      listening = true;
      addEventListener('scroll', onScroll, { capture: true, passive: true });
      addEventListener('scrollend', onEnd, { capture: true, passive: true });
    }
    const before = state();
    // The wheel would act on the element in the middle.
    if (byPage) scrollBy({ left: by[0], top: by[1], behavior: 'instant' });
    return { ...before, done: byPage };
  };

  /** A wheel event takes effect within two frames. Then this waits until the scroll stops, at most for the given time. */
  actions.scrollSettled = async ({ ms }) => {
    const end = performance.now() + ms;
    for (let frame = 0; frame < 3 && events === 0; frame++) await actions.nextFrame();
    while (!atRest && performance.now() < end) await actions.nextFrame();
    return state();
  };

  actions.scrollIntoView = ({ number }) => {
    const element = actions.element(number);
    if (!element) return actions.stale(number);
    scrollIntoView(element, { behavior: 'instant', block: 'center', inline: 'center' });
    return { line: actions.line(element, actions.role(element), true) };
  };
}
