/** Keeps a run and the attempt that is looked at up to date while they change. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { urlOf } from '../../../src/server/client.ts';
import type { AttemptRow } from '../../../src/view/index.ts';
import type { LinkState } from '../live/server-events.ts';
import { useEvents } from '../live/use-events.ts';
import { useLookAgain } from '../live/use-look-again.ts';
import { type FolderRun, folderRunQuery } from './folder-queries.ts';

export interface LiveFolder {
  /** Of the run. */
  id: string;
  /** The number of the last event that the page has seen. */
  after: number;
  /** The one whose page is open. */
  attempt?: string;
}

export function useLiveFolder({ id, after, attempt }: LiveFolder): LinkState {
  const [first] = useState(after);
  const client = useQueryClient();
  const { queryKey } = folderRunQuery(id);
  const lookAtRun = useLookAgain([queryKey]);
  const lookAtFeed = useLookAgain([
    ['folders', 'feed', id],
    ['folders', 'actions', id],
  ]);
  const lookAtAttempt = useLookAgain([['folders', 'attempt', id]]);
  return useEvents(urlOf('/run-folders/{id}/events', { id }, { after: first }), (events) => {
    const known = client.getQueryData<FolderRun>(queryKey);
    const news = events.filter((one) => one.event !== 'attempt' || one.id > (known?.version ?? 0));
    if (news.length === 0) return;
    const rows = new Map(
      news.flatMap(({ event, data }) => (event === 'attempt' ? [[(data as AttemptRow).id, data as AttemptRow]] : [])),
    );
    if (known && rows.size > 0) client.setQueryData<FolderRun>(queryKey, withRows(known, rows, news.at(-1)?.id ?? 0));
    // Rates and lists change only when something ends.
    const hasEnded = [...rows.values()].some(({ tone }) => tone !== 'open');
    if (hasEnded || news.some(({ event }) => event !== 'attempt')) lookAtRun();
    lookAtFeed();
    if (attempt !== undefined && rows.has(attempt)) lookAtAttempt();
  });
}

function withRows(known: FolderRun, rows: ReadonlyMap<string, AttemptRow>, version: number): FolderRun {
  const attempts = known.run.attempts.map((row) => rows.get(row.id) ?? row);
  return { ...known, version, run: { ...known.run, attempts } };
}
