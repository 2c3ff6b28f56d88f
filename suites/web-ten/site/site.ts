/** A site: a host name, routes, and a state of its own for each visitor. Routes are functions from a request to a reply. */
import { randomUUID } from 'node:crypto';
import type { Reply } from '../../../fixtures/routes/route.ts';
import { matchPath, ownPath, type SiteRequest } from '../../shared/routing.ts';

/** What every site remembers of a visitor. */
export interface VisitorState {
  /** Whether the cookie notice was answered. */
  consent?: 'all' | 'necessary';
}

export interface Visit<State> extends SiteRequest {
  /** The parts of the path that the route names with a colon. */
  readonly params: Readonly<Record<string, string>>;
  /** What this visitor has done. No other visitor sees it. */
  readonly state: State;
}

export type Handler<State> = (visit: Visit<State>) => Reply;

export interface SiteOptions<State extends VisitorState> {
  host: string;
  newState: () => State;
  /** By method and path: `GET /products/:id`. */
  routes: Readonly<Record<string, Handler<State>>>;
  notFound: Handler<State>;
}

export interface Site {
  readonly host: string;
  /** `sessionId` is the visitor's cookie; the reply sets one where it is not known. */
  answer(request: SiteRequest, sessionId: string | undefined): Reply;
}

/** Visitors that are remembered. An attempt is one visitor; the oldest are forgotten. */
const MAX_VISITORS = 2_000;
export const COOKIE = 'visitor';

export function defineSite<State extends VisitorState>(options: SiteOptions<State>): Site {
  const visitors = new Map<string, State>();
  const routes = Object.entries(options.routes).map(([line, handle]) => {
    const [method, path = '/'] = line.split(' ');
    return { method, parts: path.split('/'), handle };
  });

  return {
    host: options.host,
    answer(request, sessionId) {
      const known = sessionId === undefined ? undefined : visitors.get(sessionId);
      const id = known === undefined || sessionId === undefined ? randomUUID() : sessionId;
      const state = known ?? options.newState();
      if (!known) {
        visitors.set(id, state);
        if (visitors.size > MAX_VISITORS) visitors.delete(visitors.keys().next().value ?? '');
      }
      const reply = answerAs(request, state);
      const cookie = ['set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`] as const;
      return known ? reply : { ...reply, headers: [...(reply.headers ?? []), cookie] };
    },
  };

  function answerAs(request: SiteRequest, state: State): Reply {
    if (request.method === 'POST' && request.path === '/consent') {
      state.consent = request.form.get('choice') === 'all' ? 'all' : 'necessary';
      return { status: 303, headers: [['location', ownPath(request.form.get('back'))]], body: '' };
    }
    const parts = request.path.split('/');
    for (const route of routes) {
      if (route.method !== request.method) continue;
      const params = matchPath(route.parts, parts);
      if (params) return route.handle({ ...request, params, state });
    }
    return options.notFound({ ...request, params: {}, state });
  }
}
