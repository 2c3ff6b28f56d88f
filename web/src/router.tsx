/** All routes. A page is a file with a default export, loaded when it is first opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { loadCode } from './api/load-code.ts';
import { compareSearch } from './compare/compare-search.ts';
import { datasetSearch } from './datasets/dataset-search.ts';
import { folderSearch } from './folders/folder-search.ts';
import { runSearch } from './runs/run-search.ts';
import { runsSearch } from './runs/runs-search.ts';
import { Crash } from './shell/crash.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { Loading } from './ui/states.tsx';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = <const P extends string>(path: P) => ({ getParentRoute: () => rootRoute, path });
/** Keys and values of the address that a page reads itself. */
const anySearch = (search: Record<string, unknown>) => search as Record<string, string | undefined>;

const routes = [
  createRoute({ ...at('/'), component: lazyRouteComponent(() => loadCode(() => import('./home/home-page.tsx'))) }),
  createRoute({
    ...at('/runs'),
    validateSearch: runsSearch,
    component: lazyRouteComponent(() => loadCode(() => import('./runs/runs-page.tsx'))),
  }),
  createRoute({
    ...at('/runs/$id'),
    validateSearch: runSearch,
    component: lazyRouteComponent(() => loadCode(() => import('./runs/run-page.tsx'))),
  }),
  createRoute({
    ...at('/folders/$id'),
    component: lazyRouteComponent(() => loadCode(() => import('./folders/folder-run-page.tsx'))),
  }),
  createRoute({
    ...at('/folders/$id/$attempt'),
    validateSearch: folderSearch,
    component: lazyRouteComponent(() => loadCode(() => import('./folders/folder-attempt-page.tsx'))),
  }),
  createRoute({
    ...at('/compare'),
    validateSearch: compareSearch,
    component: lazyRouteComponent(() => loadCode(() => import('./compare/compare-page.tsx'))),
  }),
  createRoute({
    ...at('/datasets'),
    component: lazyRouteComponent(() => loadCode(() => import('./datasets/datasets-page.tsx'))),
  }),
  createRoute({
    ...at('/experiments/$label'),
    component: lazyRouteComponent(() => loadCode(() => import('./experiments/experiment-page.tsx'))),
  }),
  createRoute({
    ...at('/datasets/$id'),
    validateSearch: datasetSearch,
    component: lazyRouteComponent(() => loadCode(() => import('./datasets/dataset-page.tsx'))),
  }),
  createRoute({
    ...at('/providers'),
    component: lazyRouteComponent(() => loadCode(() => import('./providers/providers-page.tsx'))),
  }),
  createRoute({
    ...at('/start'),
    component: lazyRouteComponent(() => loadCode(() => import('./start/start-page.tsx'))),
  }),
  createRoute({
    ...at('/workers'),
    component: lazyRouteComponent(() => loadCode(() => import('./workers/workers-page.tsx'))),
  }),
  createRoute({
    ...at('/launch'),
    validateSearch: anySearch,
    component: lazyRouteComponent(() => loadCode(() => import('./launch/launch-page.tsx'))),
  }),
  createRoute({
    ...at('/schedules'),
    validateSearch: anySearch,
    component: lazyRouteComponent(() => loadCode(() => import('./launch/schedules-page.tsx'))),
  }),
  createRoute({
    ...at('/browser-harness'),
    validateSearch: anySearch,
    component: lazyRouteComponent(() => loadCode(() => import('./browser-harness/page.tsx'))),
  }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading what="the page" />,
  defaultErrorComponent: Crash,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
