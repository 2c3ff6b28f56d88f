/** Keeps lists of runs and the overview up to date: the server tells of every run that is made or changes its state. */
import { useRef } from 'react';
import { useEvents } from './use-events.ts';
import { useLookAgain } from './use-look-again.ts';

export function useLiveRuns(): void {
  const lookAgain = useLookAgain([
    ['runs', 'list'],
    ['runs', 'overview'],
  ]);
  const isFirst = useRef(true);
  useEvents('/runs/events', (events) => {
    // `ready` says where the stream begins: no news when the page has just been read.
    if (!isFirst.current || events.some(({ event }) => event !== 'ready')) lookAgain();
    isFirst.current = false;
  });
}
