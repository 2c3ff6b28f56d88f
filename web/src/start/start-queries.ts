/** What a run of browser tasks can be started with, and what it would do. */
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { Answer, Request } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { useSettled } from '../ui/use-settled.ts';

export type StartChoices = Answer<'get', '/start-choices'>;
export type StartRequest = Request<'post', '/run-folders'>['json'];
export type Preview = Answer<'post', '/run-folders/preview'>;

export const startChoicesQuery = () =>
  queryOptions({
    queryKey: ['start', 'choices'],
    queryFn: ({ signal }) => call('get', '/start-choices', { signal }),
  });

export interface StartCheck {
  /** Of what stands in the fields now; undefined while it is not known. */
  readonly preview: Preview | undefined;
  readonly isChecking: boolean;
  readonly error: unknown;
}

/** Asks the server, when the fields have settled, what the run would do and what it lacks. */
export function useStartCheck(request: StartRequest | undefined): StartCheck {
  const wanted = request && JSON.stringify(request);
  const settled = useSettled(wanted);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['start', 'preview', settled],
    queryFn:
      settled === undefined
        ? skipToken
        : ({ signal }) => call('post', '/run-folders/preview', { json: JSON.parse(settled), signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isOld = wanted !== settled || isPlaceholderData;
  return {
    preview: settled === undefined || isOld || error ? undefined : data,
    isChecking: settled !== undefined && (isOld || (data === undefined && !error)),
    error: settled === undefined || isOld ? null : error,
  };
}
