import { queryOptions } from '@tanstack/react-query';
import type { Request } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { draftOf, requestOf, type Schedule } from './launch-draft.ts';

export type ScheduleInput = Request<'post', '/schedules'>['json'];

/** The last runs and the next times change by themselves. */
const LOOK_MS = 5_000;

export const schedulesQuery = () =>
  queryOptions({
    queryKey: ['schedules', 'list'],
    queryFn: ({ signal }) => call('get', '/schedules', { signal }),
    refetchInterval: LOOK_MS,
  });

/** As it is, with what changes. */
export function inputOf(schedule: Schedule, next: Partial<ScheduleInput>): ScheduleInput {
  const request = requestOf(draftOf(schedule));
  if (!request) throw new Error('The schedule is not whole.');
  const { name, cron, timezone, enabled } = schedule;
  return { ...request, name, cron, timezone, enabled, ...next };
}
