/** A stream of events for as long as a component is there. */
import { useEffect, useRef, useState } from 'react';
import { type LinkState, listen, type ServerEvent } from './server-events.ts';

/** @returns whether the stream is there. `onEvents` gets what arrived together, oldest first, and may change from render to render. */
export function useEvents(url: string, onEvents: (events: ServerEvent[]) => void): LinkState {
  const [state, setState] = useState<LinkState>('connecting');
  const latest = useRef(onEvents);
  useEffect(() => {
    latest.current = onEvents;
  });
  useEffect(() => {
    const gone = new AbortController();
    listen(url, { onEvents: (events) => latest.current(events), onState: setState }, gone.signal).catch(() =>
      setState('lost'),
    );
    return () => gone.abort();
  }, [url]);
  return state;
}
