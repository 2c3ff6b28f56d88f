import { queryOptions } from '@tanstack/react-query';
import type { Request } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import type { StartRequest } from '../start/start-queries.ts';
import { draftOf, type LaunchRequest, requestOf, type Schedule } from './launch-draft.ts';

export type ScheduleInput = Request<'post', '/schedules'>['json'];
export type ScheduledRequest = LaunchRequest | { tasks: StartRequest };

/** The last runs and the next times change by themselves. */
const LOOK_MS = 5_000;

export const schedulesQuery = () =>
  queryOptions({
    queryKey: ['schedules', 'list'],
    queryFn: ({ signal }) => call('get', '/schedules', { signal }),
    refetchInterval: LOOK_MS,
  });

/** What it launches or starts. */
export function requestOfSchedule(schedule: Schedule): ScheduledRequest {
  if ('tasks' in schedule) return { tasks: schedule.tasks };
  const request = requestOf(draftOf(schedule));
  if (!request) throw new Error('The schedule is not whole.');
  return request;
}
