/** Reads queries once more when told that they are out of date; what is told while they are being read counts as well. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

/** News come in bursts: one reading for several of them. */
const GATHER_MS = 300;

/** One reading at a time: a newer one would break off the older, and while news keep coming none would ever end. */
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
