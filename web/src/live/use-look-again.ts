/** Reads queries again when they are out of date. A change that is reported during a read causes another read. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

/** Events come in bursts, so one read serves several of them. */
const GATHER_MS = 300;

/** One read at a time: a newer read would cancel the older one, and while events keep coming none would ever end. */
export function useLookAgain(keys: readonly QueryKey[]): () => void {
  const client = useQueryClient();
  const state = useRef({ isBusy: false, isStale: false });
  const look = async () => {
    state.current.isBusy = true;
    while (state.current.isStale) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      state.current.isStale = false;
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    }
    state.current.isBusy = false;
  };
  return () => {
    state.current.isStale = true;
    if (!state.current.isBusy) void look();
  };
}
