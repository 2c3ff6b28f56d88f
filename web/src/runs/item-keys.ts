/**
 * Keys that go through a list of items while one of them has the focus: the arrows or j and k, Home and End. If the item was open, it closes
 * and the next one opens, so that a person can read one after the other.
 */
import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** @param onEdge is told when a step would leave the list: 1 after the last item, -1 before the first. */
export function onItemKey(event: KeyboardEvent<HTMLElement>, onEdge?: (step: 1 | -1) => void): void {
  const { target, currentTarget, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return;
  const items = [...currentTarget.querySelectorAll<HTMLDetailsElement>('details.item')];
  const at = items.findIndex((item) => item.firstElementChild === target);
  const step = STEPS[key];
  const to = key === 'Home' ? 0 : key === 'End' ? items.length - 1 : step === undefined ? undefined : at + step;
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  const next = items[to];
  if (!next) onEdge?.(to < 0 ? -1 : 1);
  else if (to !== at) goTo(next, items[at]);
}

function goTo(next: HTMLDetailsElement, from: HTMLDetailsElement | undefined): void {
  if (from?.open) {
    from.open = false;
    next.open = true;
  }
  focusItem(next);
}

export function focusItem(item: HTMLDetailsElement): void {
  const summary = item.firstElementChild;
  if (summary instanceof HTMLElement) summary.focus({ preventScroll: true });
  item.scrollIntoView({ block: item.open ? 'start' : 'nearest' });
}
