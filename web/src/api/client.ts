/**
 * Calls of the API, typed by the very schemas that the server validates with and OpenAPI is made of.
 * @example
 * const { runs } = await call('get', '/runs', { query: { surface: 'api' } });
 * const run = await call('get', '/runs/{id}', { params: { id } });
 */
import type { z } from 'zod';
import type { Api } from '../../../src/server/index.ts';
import { ApiProblem, problemOf } from './api-problem.ts';

export type Method = Api['method'];
export type PathOf<M extends Method> = Extract<Api, { method: M }>['path'];
export type RouteOf<M extends Method, P> = Extract<Api, { method: M; path: P }>;

/** Statuses that are no problem. */
type Success = 200 | 201 | 202 | 204;
type BodyOf<Response> = Response extends { content: { 'application/json': { schema: infer S } } }
  ? S extends z.ZodType
    ? z.output<S>
    : never
  : Response extends { content: unknown }
    ? never
    : undefined;
type AnswerOf<Route> = Route extends { responses: infer R }
  ? { [S in keyof R & Success]: BodyOf<R[S]> }[keyof R & Success]
  : never;

/** What a call answers: `Answer<'get', '/runs/{id}'>`. */
export type Answer<M extends Method, P extends string> = AnswerOf<RouteOf<M, P>>;

/** May be left out where the server has a default; after that, of the type that it then has. */
type Given<S> = S extends z.ZodType
  ? { [K in keyof z.input<S>]: K extends keyof z.output<S> ? z.output<S>[K] | undefined : never }
  : never;
type Part<Route, Name extends string> = Route extends { request: infer R }
  ? R extends { [K in Name]: infer S }
    ? { [K in Name]: Given<S> }
    : unknown
  : unknown;
type Needless<T> = T extends { query: infer Q } ? (Record<string, never> extends Q ? Partial<T> : T) : T;
type JsonPart<Route> = Route extends { request: { body: { content: { 'application/json': { schema: infer S } } } } }
  ? { json: S extends z.ZodType ? z.input<S> : never }
  : unknown;

/** What a call needs: `Request<'post', '/providers'>`. */
export type Request<M extends Method, P extends string> = Part<RouteOf<M, P>, 'params'> &
  Needless<Part<RouteOf<M, P>, 'query'>> &
  JsonPart<RouteOf<M, P>>;

interface Anyway {
  /** For the routes that take a file. */
  file?: Blob;
  signal?: AbortSignal;
}

export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[request]: unknown extends Request<M, P> ? [Anyway?] : [Request<M, P> & Anyway]
): Promise<Answer<M, P>> {
  const { params, query, json, file, signal } = (request ?? {}) as Anyway & Loose;
  const body = file ?? (json === undefined ? null : JSON.stringify(json));
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== null) headers['content-type'] = file ? 'application/octet-stream' : 'application/json';
  let response: Response;
  try {
    response = await fetch(urlOf(path, params, query), {
      method: method.toUpperCase(),
      headers,
      body,
      signal: signal ?? null,
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new ApiProblem({
      status: 0,
      code: 'unreachable',
      detail: 'The server does not answer.',
      hint: 'Is `waymark serve` still running?',
    });
  }
  if (!response.ok) throw await problemOf(response);
  // The server's schemas are the promise; nothing is checked twice.
  return (response.status === 204 ? undefined : await response.json()) as Answer<M, P>;
}

interface Loose {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  json?: unknown;
}

/** The address of a route, for links and streams. */
export function urlOf(path: string, params: Loose['params'] = {}, query: Loose['query'] = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
