/** Keys of the attempt's page: j and k go from step to step, the arrows from picture to picture, / searches. */
import { type RefObject, useEffect, useRef } from 'react';

export interface AttemptKeys {
  onStep: (by: 1 | -1) => void;
  onFrame: (by: 1 | -1) => void;
  searchBox: RefObject<HTMLInputElement | null>;
}

export function useAttemptKeys(keys: AttemptKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { onStep, onFrame, searchBox } = latest.current;
      if (event.key === 'Escape' && event.target === searchBox.current) searchBox.current?.blur();
      if (isTyping(event.target)) return;
      const act = {
        j: () => onStep(1),
        k: () => onStep(-1),
        ArrowRight: () => onFrame(1),
        ArrowLeft: () => onFrame(-1),
        '/': () => searchBox.current?.focus(),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Fields keep their keys; the scrubber has the arrows itself. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null;
}
