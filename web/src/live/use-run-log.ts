/** A run's log as it is written. Whatever is written about a run means that the run has changed: it is looked at again. */
import { useState } from 'react';
import { urlOf } from '../../../src/server/client.ts';
import type { LogLine } from '../api/queries.ts';
import type { LinkState } from './server-events.ts';
import { useEvents } from './use-events.ts';
import { useLookAgain } from './use-look-again.ts';

export interface RunLog {
  lines: readonly LogLine[];
  state: LinkState;
}

export function useRunLog(runId: string): RunLog {
  const [lines, setLines] = useState<LogLine[]>([]);
  const lookAgain = useLookAgain([
    ['runs', 'one', runId],
    ['runs', 'items', runId],
    ['runs', 'grades', runId],
    ['runs', 'gradings', runId],
  ]);
  const state = useEvents(urlOf('/runs/{id}/events', { id: runId }), (events) => {
    const added = events.map(({ id, data }) => ({ ...(data as Omit<LogLine, 'seq'>), seq: id }));
    setLines((known) => [...known.filter(({ seq }) => seq < (added[0]?.seq ?? 0)), ...added]);
    lookAgain();
  });
  return { lines, state };
}
