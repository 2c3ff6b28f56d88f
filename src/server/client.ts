/**
 * The client of the HTTP API, typed by the schemas that the server validates with. The web app and the command line both use it, so this
 * file runs in a browser too: it imports only types from the server.
 * @example
 * const api = apiClient((path, init) => fetch(new URL(path, 'http://127.0.0.1:7520'), init));
 * const { runs } = await api.call('get', '/runs', { query: { surface: 'api' } });
 * const run = await api.call('get', '/runs/{id}', { params: { id: runs[0].id } });
 */
import type { z } from 'zod';
import type { Api } from './api.ts';
import type { Problem } from './problem.ts';

type Method = Api['method'];
type PathOf<M extends Method> = Extract<Api, { method: M }>['path'];
type RouteOf<M extends Method, P> = Extract<Api, { method: M; path: P }>;

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

/** The answer of a call: `Answer<'get', '/runs/{id}'>`. */
export type Answer<M extends Method, P extends string> = AnswerOf<RouteOf<M, P>>;

/** Optional where the server has a default. */
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

/** Route by route: the intersection of three unions over all routes would be more than the compiler can represent. */
type RequestOf<Route> = Route extends unknown
  ? Part<Route, 'params'> & Needless<Part<Route, 'query'>> & JsonPart<Route>
  : never;

/** What a call needs: `Request<'post', '/providers'>`. */
export type Request<M extends Method, P extends string> = RequestOf<RouteOf<M, P>>;

interface Anyway {
  /** For the routes that take a file. */
  file?: Blob;
  signal?: AbortSignal;
}
type Arguments<M extends Method, P extends string> =
  unknown extends Request<M, P> ? [Anyway?] : [Request<M, P> & Anyway];

export interface ApiClient {
  /** The answer of a route that returns JSON. */
  call<M extends Method, P extends PathOf<M>>(method: M, path: P, ...request: Arguments<M, P>): Promise<Answer<M, P>>;
  /** The answer of a route that returns a file. */
  text<P extends PathOf<'get'>>(path: P, ...request: Arguments<'get', P>): Promise<string>;
}

/**
 * `send` sends a request to a server: over the network, or to an app in this process. `refusal` creates the error that is thrown when the
 * server refuses a request. The default is an ApiProblem.
 */
export function apiClient(
  send: (path: string, init: RequestInit) => Promise<Response>,
  refusal: (problem: ApiProblem) => Error = (problem) => problem,
): ApiClient {
  const ask = async (method: string, path: string, request: Loose = {}): Promise<Response> => {
    const { params, query, json, file, signal } = request;
    const body = file ?? (json === undefined ? null : JSON.stringify(json));
    const headers: Record<string, string> = { accept: '*/*' };
    if (body !== null) headers['content-type'] = file ? 'application/octet-stream' : 'application/json';
    const init = { method: method.toUpperCase(), headers, body, signal: signal ?? null };
    const response = await send(urlOf(path, params, query), init);
    if (!response.ok) throw refusal(await problemOf(response));
    return response;
  };
  return {
    async call(method, path, ...[request]) {
      const response = await ask(method, path, request as Loose | undefined);
      if (response.status === 204) return undefined as Answer<typeof method, typeof path>;
      if (!isJson(response)) throw refusal(notWaymark(response.status));
      // The server validates with the same schemas, so the answer is not checked again.
      return (await response.json()) as Answer<typeof method, typeof path>;
    },
    text: async (path, ...[request]) => (await ask('get', path, request as Loose | undefined)).text(),
  };
}

/** What all requests have in common. */
interface Loose extends Anyway {
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

type GivenProblem = Pick<Problem, 'status' | 'code' | 'detail'> & Partial<Pick<Problem, 'hint' | 'issues'>>;

/** A refusal of the server (`application/problem+json`). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly issues: Problem['issues'];

  constructor({ status, code, detail, hint, issues = [] }: GivenProblem) {
    super(detail);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.issues = issues;
  }
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  // What is no JSON, whatever it calls itself, was not sent by Waymark.
  const said: unknown = isJson(response) ? await response.json().catch(() => null) : null;
  return isProblem(said) ? new ApiProblem(said) : notWaymark(response.status);
}

function notWaymark(status: number): ApiProblem {
  const detail = `The server answered with status ${status}, and not as a Waymark server does.`;
  return new ApiProblem({ status, code: 'unexpected', detail });
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false;
}

function isProblem(value: unknown): value is GivenProblem {
  return typeof value === 'object' && value !== null && 'code' in value && 'detail' in value && 'status' in value;
}
