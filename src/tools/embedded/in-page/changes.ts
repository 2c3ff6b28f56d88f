/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Waits for the page to change. During a wait, mutations and the ends of animations are counted, so that the same state is not checked twice.
 * Changes without an event (an attached shadow root, an effect of a style sheet) are seen at the next heartbeat.
 */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installChanges(actions: InputActions): void {
  const HEARTBEAT_MS = 200;
  /** A page that is not drawn runs no frames. */
  const FRAME_MS = 50;
  const EVENTS = [
    'transitionend',
    'animationend',
    'load',
    'error',
    'scroll',
    'resize',
    'hashchange',
    'popstate',
    'input',
    'change',
    'toggle',
  ];
  let count = 0;
  let observer: MutationObserver | undefined;
  let watched = new WeakSet<Node>();
  const wake: (() => void)[] = [];

  function changed(): void {
    count++;
    for (const one of wake.splice(0)) one();
  }

  actions.changes = () => count;

  actions.watch = () => {
    if (!observer) {
      observer = new MutationObserver(changed);
      watched = new WeakSet();
      for (const type of EVENTS) addEventListener(type, changed, { capture: true, passive: true });
    }
    for (const root of actions.scopes().roots) {
      if (watched.has(root)) continue;
      watched.add(root);
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  };

  actions.rest = () => {
    observer?.disconnect();
    observer = undefined;
    for (const type of EVENTS) removeEventListener(type, changed, { capture: true });
    changed();
  };

  actions.nextFrame = () =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, FRAME_MS);
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      });
    });

  actions.frames = async ({ count: wanted }) => {
    for (let i = 0; i < wanted; i++) await actions.nextFrame();
  };

  actions.change = async ({ since, ms }) => {
    actions.watch();
    if (count === since) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(ms, HEARTBEAT_MS));
        wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    // On a page that never stops changing, the wait ends at most once per frame.
    await actions.nextFrame();
    return count;
  };
}
