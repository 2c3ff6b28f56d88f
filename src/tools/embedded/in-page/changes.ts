/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Waiting for the page to become different. While somebody waits, mutations and the ends of motion are counted; nobody is asked twice
 * for the same state. What makes no event (a shadow root that is attached, a style sheet's own doing) is seen at the next heartbeat.
 */
import type { InputActions } from './input-actions.ts';

/** Runs in the page; it may use nothing from outside itself. */
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
    // Whoever asks after every change of a page that never stops changing is answered once a frame.
    await actions.nextFrame();
    return count;
  };
}
