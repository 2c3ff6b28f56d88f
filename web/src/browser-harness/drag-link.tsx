/**
 * A `javascript:` address as a link to drag to the bookmarks bar. React refuses such addresses in its own markup, so that the attribute
 * is set on the element; a click in this app would run nothing (the content policy forbids it) and explains instead.
 */
import { useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../shell/announcer.tsx';

const EXPLANATION = 'Drag it to the bookmarks bar, open the chat page, and click it there. Here it does nothing.';

export function DragLink({ address, name }: { address: string; name: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const announce = useAnnounce();
  const [isExplained, setExplained] = useState(false);
  useEffect(() => link.current?.setAttribute('href', address), [address]);
  useEffect(() => {
    const explain = (event: Event): void => {
      event.preventDefault();
      setExplained(true);
      announce(EXPLANATION);
    };
    const element = link.current;
    // The middle button too: it would open an empty tab.
    for (const type of ['click', 'auxclick']) element?.addEventListener(type, explain);
    return () => {
      for (const type of ['click', 'auxclick']) element?.removeEventListener(type, explain);
    };
  }, [announce]);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: its address is set by the effect above */}
      <a ref={link} className="drag-link" draggable>
        {name}
      </a>
      {isExplained && <p className="hint">{EXPLANATION}</p>}
    </>
  );
}
