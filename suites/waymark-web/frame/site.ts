/** A site: its data from a seed, and its pages as functions from a visit to a reply. */
import type { Reply } from '../../../fixtures/routes/route.ts';
import { matchPath, type SiteRequest } from '../../shared/routing.ts';
import type { Fault } from './faults.ts';

/** What a browser has seen and what is shown once. It is no part of the state that tasks are judged by. */
export interface Views {
  /** Pages and messages that were opened, by site: `mail:m-12`. */
  readonly seen: Set<string>;
  /** Shown on the next page. */
  notice?: string;
}

export interface Visit<Data> extends SiteRequest {
  /** The parts of the path that the route names with a colon. */
  readonly params: Readonly<Record<string, string>>;
  /** Of this instance alone; handlers change it in place. */
  readonly data: Data;
  readonly views: Views;
  /** Whether the fault is to happen now; it happens once. */
  readonly takeFault: (fault: Fault) => boolean;
}

export type Handler<Data> = (visit: Visit<Data>) => Reply;

export interface SiteOptions<Data extends object> {
  /** The first part of its host: `shop` is shop.waymark.test. */
  readonly name: string;
  /** The same data for the same seed. */
  readonly make: (seed: number) => Data;
  /** By method and path: `GET /products/:id`. */
  readonly routes: Readonly<Record<string, Handler<Data>>>;
  readonly notFound: Handler<Data>;
}

export interface Site {
  readonly name: string;
  make(seed: number): object;
  /** `data` is what `make` gave, or a copy of it. */
  answer(request: SiteRequest, data: object, visit: Pick<Visit<object>, 'views' | 'takeFault'>): Reply;
}

export function defineSite<Data extends object>({ name, make, routes, notFound }: SiteOptions<Data>): Site {
  const table = Object.entries(routes).map(([line, handle]) => {
    const [method, path = '/'] = line.split(' ');
    return { method, parts: path.split('/'), handle };
  });
  return {
    name,
    make,
    answer(request, given, about) {
      const data = given as Data;
      const { method, path, query, form } = request;
      const visit = { method, path, query, form, data, ...about };
      const parts = path.split('/');
      for (const route of table) {
        const params = route.method === method ? matchPath(route.parts, parts) : undefined;
        if (params) return route.handle({ ...visit, params });
      }
      return notFound({ ...visit, params: {} });
    },
  };
}
