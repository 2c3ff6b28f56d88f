/** Looks every few seconds whether a schedule is due, until the server stops. */
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../errors/index.ts';
import type { LaunchContext } from '../answers/launch-run.ts';
import { fireDue } from './fire-due.ts';

export interface SchedulerOptions extends LaunchContext {
  stopping: AbortSignal;
  log: (line: string) => void;
  pollMs?: number;
}

const POLL_MS = 5_000;

export function startScheduler({ stopping, log, pollMs = POLL_MS, ...context }: SchedulerOptions): void {
  void (async () => {
    while (!stopping.aborted) {
      try {
        await fireDue(context);
      } catch (thrown) {
        // Tried again at the next look. A database that is being closed is no news.
        if (!stopping.aborted) log(`schedules: ${messageOf(thrown)}`);
      }
      // The pause is aborted when the server stops, which ends the loop.
      await wait(pollMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  })();
}
