/** What several pages read, under one key each. A key begins with the name of the collection: to invalidate `['runs']` is to look at all of them again. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Answer, Request } from '../../../src/server/client.ts';
import { call } from './client.ts';

export type AnyRun = Answer<'get', '/all-runs'>['runs'][number];
export type AnyRunFilter = NonNullable<Request<'get', '/all-runs'>['query']>;
export type Run = Answer<'get', '/runs'>['runs'][number];
export type RunDetail = Answer<'get', '/runs/{id}'>;
export type RunItem = Answer<'get', '/runs/{id}/items'>['items'][number];
export type Score = RunItem['scores'][number];
export type GraderSummary = RunDetail['summary']['graders'][number];
export type Grade = Answer<'get', '/runs/{id}/grades'>['grades'][number];
export type GradeFilter = NonNullable<Request<'get', '/runs/{id}/grades'>['query']>;
export type Grading = Answer<'get', '/runs/{id}/gradings'>['gradings'][number];
export type LogLine = Answer<'get', '/runs/{id}/logs'>['logs'][number];
export type EpisodeComparison = Answer<'get', '/all-runs/compare'>;
export type Experiment = Answer<'get', '/experiments/{label}'>;
export type Comparison = Answer<'get', '/runs/compare'>;
export type Dataset = Answer<'get', '/datasets'>['datasets'][number];
export type DatasetItem = Answer<'get', '/datasets/{id}/items'>['items'][number];
export type Provider = Answer<'get', '/providers'>['providers'][number];
export type Overview = Answer<'get', '/overview'>;

/** The most that the API gives at once. */
export const MAX_PAGE = 500;

/** How often lists look at folders: nothing tells the server when one changes. */
const FOLDERS_MS = 5_000;

/** A page of runs of all kinds. `useLiveRuns` keeps those of the database up to date. */
export const allRunsQuery = (filter: AnyRunFilter) =>
  queryOptions({
    queryKey: ['runs', 'list', filter],
    queryFn: ({ signal }) => call('get', '/all-runs', { query: filter, signal }),
    refetchInterval: FOLDERS_MS,
  });

/** One run as lists show it. */
export const anyRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'any', id],
    queryFn: ({ signal }) => call('get', '/all-runs/{id}', { params: { id }, signal }),
  });

/** What the list can be filtered by. */
export const runChoicesQuery = () =>
  queryOptions({
    queryKey: ['runs', 'choices'],
    queryFn: ({ signal }) => call('get', '/all-runs/choices', { signal }),
  });

/** What the first page shows. `useLiveRuns` keeps it up to date. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: ['runs', 'overview'],
    queryFn: ({ signal }) => call('get', '/overview', { signal }),
  });

/** The tags that runs have. */
export const tagsQuery = () =>
  queryOptions({
    queryKey: ['runs', 'tags'],
    queryFn: ({ signal }) => call('get', '/runs/tags', { signal }),
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'one', id],
    queryFn: ({ signal }) => call('get', '/runs/{id}', { params: { id }, signal }),
  });

export const runItemsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'items', id],
    queryFn: ({ pageParam, signal }) =>
      call('get', '/runs/{id}/items', { params: { id }, query: { after: pageParam, limit: MAX_PAGE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items }) => (items.length < MAX_PAGE ? undefined : items.at(-1)?.seq),
  });

/** Of all graders. */
export const gradesQuery = (id: string, filter: GradeFilter) =>
  queryOptions({
    queryKey: ['runs', 'grades', id, filter],
    queryFn: ({ signal }) => call('get', '/runs/{id}/grades', { params: { id }, query: filter, signal }),
  });

/** What was asked of further graders, oldest first. */
export const gradingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'gradings', id],
    queryFn: ({ signal }) => call('get', '/runs/{id}/gradings', { params: { id }, signal }),
  });

export const comparisonQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: ['runs', 'compare', a, b],
    queryFn: ({ signal }) => call('get', '/runs/compare', { query: { a, b }, signal }),
  });

/** Of runs of agents. Under no key that live lists read again: it is a long calculation. */
export const episodeComparisonQuery = (a: string, b: string, counting: 'valid' | 'strict') =>
  queryOptions({
    queryKey: ['comparisons', a, b, counting],
    queryFn: ({ signal }) => call('get', '/all-runs/compare', { query: { a, b, counting }, signal }),
  });

export const experimentQuery = (label: string) =>
  queryOptions({
    queryKey: ['experiments', label],
    queryFn: ({ signal }) => call('get', '/experiments/{label}', { params: { label }, signal }),
    // What has ended does not change.
    refetchInterval: ({ state }) =>
      state.data?.runs.some(({ run }) => run.state === 'running' || run.state === 'queued') ? FOLDERS_MS : false,
  });

/** Newest first, as many as one answer holds: enough for pickers. */
export const datasetsQuery = () =>
  queryOptions({
    queryKey: ['datasets', 'list'],
    queryFn: ({ signal }) => call('get', '/datasets', { query: { limit: MAX_PAGE }, signal }),
  });

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasets', 'one', id],
    queryFn: ({ signal }) => call('get', '/datasets/{id}', { params: { id }, signal }),
  });

/** Of one version: another version has other items. */
export const datasetItemsQuery = ({ id, version_hash }: Pick<Dataset, 'id' | 'version_hash'>) =>
  infiniteQueryOptions({
    queryKey: ['datasets', 'items', id, version_hash],
    queryFn: ({ pageParam, signal }) =>
      call('get', '/datasets/{id}/items', { params: { id }, query: { after: pageParam, limit: MAX_PAGE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items }) => (items.length < MAX_PAGE ? undefined : items.at(-1)?.seq),
  });

/** API providers only: those of captures are in no list. */
export const providersQuery = () =>
  queryOptions({
    queryKey: ['providers', 'list'],
    queryFn: ({ signal }) => call('get', '/providers', { signal }),
  });
