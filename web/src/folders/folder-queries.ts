/** Runs in folders, as the server reads them. */
import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';

export type FolderRun = Answer<'get', '/run-folders/{id}'>;

export const folderRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['folders', 'one', id],
    queryFn: ({ signal }) => call('get', '/run-folders/{id}', { params: { id }, signal }),
  });

export const folderFeedQuery = (id: string) =>
  queryOptions({
    queryKey: ['folders', 'feed', id],
    queryFn: ({ signal }) => call('get', '/run-folders/{id}/feed', { params: { id }, signal }),
  });

export const folderActionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['folders', 'actions', id],
    queryFn: ({ signal }) => call('get', '/run-folders/{id}/actions', { params: { id }, signal }),
    retry: false,
  });

export const folderAttemptQuery = (id: string, attempt: string) =>
  queryOptions({
    queryKey: ['folders', 'attempt', id, attempt],
    queryFn: ({ signal }) => call('get', '/run-folders/{id}/attempts/{attempt}', { params: { id, attempt }, signal }),
  });
