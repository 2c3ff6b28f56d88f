/** The Browser Harness on the server: datasets, providers, packs, imports, runs, and the worker that scores them. */
import { type CallLimits, MAX_BODY_BYTES, startScoring, type TokenKeys } from '../../browser-harness/index.ts';
import { newRouter, type Room } from '../room.ts';
import { datasetRoutes } from './browser-harness/datasets.ts';
import type { PageParts } from './browser-harness/desk.ts';
import { importRoutes } from './browser-harness/imports.ts';
import { packRoutes } from './browser-harness/packs.ts';
import { providerRoutes } from './browser-harness/providers.ts';
import { runRoutes } from './browser-harness/runs.ts';
import { urlGuard } from './browser-harness/url-guard.ts';

export interface BrowserHarnessOptions {
  /** They sign packs and know them again; no answer ever holds them. */
  keys: TokenKeys;
  page?: PageParts | undefined;
  /** Given by tests. */
  now?: () => Date;
  judgeLimits?: Partial<CallLimits>;
}

/** What a form adds around its file. */
const FORM_BYTES = 64 * 1024;

export function browserHarness({ keys, page, now = () => new Date(), judgeLimits = {} }: BrowserHarnessOptions): Room {
  return {
    name: 'browser-harness',
    bodyLimits: {
      '/browser-harness/imports': MAX_BODY_BYTES + FORM_BYTES,
      '/datasets': MAX_BODY_BYTES + FORM_BYTES,
    },
    router: (context) => {
      const desk = { ...context, keys, page, now };
      const router = newRouter();
      for (const routes of [datasetRoutes, providerRoutes, packRoutes, importRoutes, runRoutes]) {
        router.route('/', routes(desk));
      }
      return router;
    },
    start: async (context) => {
      const { queue, store } = context;
      await startScoring(queue, { store, assertUrl: urlGuard(context), limits: judgeLimits });
    },
  };
}
