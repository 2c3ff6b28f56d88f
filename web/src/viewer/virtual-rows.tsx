/** The rows of a long table that are in sight, and some around them; empty rows hold the place of the others. All rows have one height. */
import { type RefObject, useEffect, useState } from 'react';

const AROUND = 12;

export interface VisibleRows {
  from: number;
  to: number;
}

/** `box` is what scrolls. */
export function useVisibleRows(box: RefObject<HTMLElement | null>, count: number, height: number): VisibleRows {
  const [range, setRange] = useState<VisibleRows>({ from: 0, to: Math.min(count, 40) });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / height);
      const shown = Math.ceil(element.clientHeight / height);
      const from = Math.max(0, first - AROUND);
      const to = Math.min(count, first + shown + AROUND);
      setRange((known) => (known.from === from && known.to === to ? known : { from, to }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [box, count, height]);
  return range;
}

export function Spacer({ rows, height, columns }: { rows: number; height: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr className="v-spacer">
      <td colSpan={columns} style={{ height: rows * height }} />
    </tr>
  );
}
