/** The rows of a long table that are in sight, and some around them; empty rows hold the place of the others. All rows have one height. */
import { type RefObject, useEffect, useState } from 'react';

const AROUND = 12;
/** Before the box is measured. */
const FIRST_SHOWN = 28;

export interface VisibleRows {
  from: number;
  to: number;
}

/** `box` is what scrolls. */
export function useVisibleRows(box: RefObject<HTMLElement | null>, count: number, height: number): VisibleRows {
  const [{ scrolled, shown }, setView] = useState({ scrolled: 0, shown: FIRST_SHOWN });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const now = {
        scrolled: Math.floor(element.scrollTop / height),
        shown: Math.ceil(element.clientHeight / height),
      };
      setView((known) => (known.scrolled === now.scrolled && known.shown === now.shown ? known : now));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [box, height]);
  // A filter may leave fewer rows than were scrolled over.
  const first = Math.min(scrolled, Math.max(0, count - shown));
  return { from: Math.max(0, first - AROUND), to: Math.min(count, first + shown + AROUND) };
}

export function Spacer({ rows, height, columns }: { rows: number; height: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr className="v-spacer">
      <td colSpan={columns} style={{ height: rows * height }} />
    </tr>
  );
}
