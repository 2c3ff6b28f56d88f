/** Looks every few seconds whether a schedule is due, until the server stops. */
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, isNull } from 'drizzle-orm';
import { messageOf } from '../../errors/index.ts';
import { schema } from '../../store/index.ts';
import { fireDue } from './fire-due.ts';
import type { ScheduleContext } from './schedule-context.ts';

const { schedule } = schema;

export interface SchedulerOptions extends ScheduleContext {
  stopping: AbortSignal;
  log: (line: string) => void;
  pollMs?: number;
}

const POLL_MS = 5_000;

export function startScheduler({ stopping, log, pollMs = POLL_MS, ...context }: SchedulerOptions): void {
  const tried = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (thrown) {
      // Tried again at the next look. A database that is being closed is no news.
      if (!stopping.aborted) log(`schedules: ${messageOf(thrown)}`);
    }
  };
  void (async () => {
    await tried(sayLeft(context, log));
    while (!stopping.aborted) {
      await tried(fireDue(context));
      // The pause is aborted when the server stops, which ends the loop.
      await wait(pollMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  })();
}

/** Of tasks, on a server that may start nothing. */
async function sayLeft({ store, starter }: ScheduleContext, log: (line: string) => void): Promise<void> {
  if (starter) return;
  const left = await store.db.$count(schedule, and(eq(schedule.enabled, true), isNull(schedule.datasetId)));
  if (left > 0)
    log(
      `schedules: ${left} of browser tasks are not run here, because this server does not start runs (--allow-runs yes)`,
    );
}
