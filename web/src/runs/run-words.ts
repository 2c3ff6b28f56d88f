/** The states of a run and of its items, in words. */
import type { Run, RunItem } from '../api/queries.ts';

/** Only a chat page has captures: a model behind an API fails to answer by an error of its call. */
export function statusText(status: RunItem['status'], surface: Run['provider']['surface']): string {
  if (status !== 'error') return status;
  return surface === 'browser' ? 'capture error' : 'call error';
}

/** The title above the reason for a run's state. */
export function stateTitle(status: Run['status']): string {
  return STATE_TITLES[status];
}

const STATE_TITLES: Record<Run['status'], string> = {
  queued: 'The run is queued',
  running: 'The run is in progress',
  completed: 'The run is complete',
  failed: 'The run failed',
  cancelled: 'The run was cancelled',
};
