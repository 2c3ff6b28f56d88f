/** The Browser Harness on the server: datasets, providers, packs, imports, runs, schedules, and the workers that ask and score. */
import {
  type CallLimits,
  MAX_BODY_BYTES,
  ProviderSlots,
  requeueLost,
  startLaunching,
  startScheduler,
  startScoring,
  type TokenKeys,
} from '../../browser-harness/index.ts';
import { newRouter, type Room } from '../room.ts';
import { datasetRoutes } from './browser-harness/datasets.ts';
import type { Fixtures, PageParts } from './browser-harness/desk.ts';
import { importRoutes } from './browser-harness/imports.ts';
import { launchRoutes } from './browser-harness/launch.ts';
import { packRoutes } from './browser-harness/packs.ts';
import { providerRoutes } from './browser-harness/providers.ts';
import { runRoutes } from './browser-harness/runs.ts';
import { runsEventsRoutes } from './browser-harness/runs-events.ts';
import { scheduleRoutes } from './browser-harness/schedules.ts';
import { urlGuard } from './browser-harness/url-guard.ts';

export interface BrowserHarnessOptions {
  /** They sign packs and know them again; no answer ever holds them. */
  keys: TokenKeys;
  page?: PageParts | undefined;
  /** Chat pages to practise on, which whoever starts the server serves beside it. */
  fixtures?: Fixtures | undefined;
  /** Given by tests. */
  now?: () => Date;
  judgeLimits?: Partial<CallLimits>;
  askLimits?: Partial<CallLimits>;
  progressMs?: number;
  schedulePollMs?: number;
}

/** Calls to one provider at once, over all runs of this server that ask it or are judged by it. */
const PROVIDER_CONCURRENCY = 16;

/** What a form adds around its file. */
const FORM_BYTES = 64 * 1024;

export function browserHarness(options: BrowserHarnessOptions): Room {
  const {
    keys,
    page,
    fixtures,
    now = () => new Date(),
    judgeLimits = {},
    askLimits = {},
    progressMs,
    schedulePollMs,
  } = options;
  return {
    name: 'browser-harness',
    bodyLimits: {
      '/browser-harness/imports': MAX_BODY_BYTES + FORM_BYTES,
      '/datasets': MAX_BODY_BYTES + FORM_BYTES,
    },
    router: (context) => {
      const desk = { ...context, keys, page, fixtures, now };
      const router = newRouter();
      for (const routes of [
        datasetRoutes,
        providerRoutes,
        packRoutes,
        importRoutes,
        launchRoutes,
        // Before `/runs/{id}`, which would take it for an id.
        runsEventsRoutes,
        runRoutes,
        scheduleRoutes,
      ]) {
        router.route('/', routes(desk));
      }
      return router;
    },
    start: async (context) => {
      const { queue, store } = context;
      const slots = new ProviderSlots(PROVIDER_CONCURRENCY);
      const assertUrl = urlGuard(context);
      await startScoring(queue, { store, assertUrl, slots, limits: judgeLimits });
      const progress = progressMs === undefined ? {} : { progressMs };
      await startLaunching({ store, queue, assertUrl, slots, limits: askLimits, now, ...progress });
      const lost = await requeueLost(store, queue);
      if (lost > 0) context.log(`${lost} runs had lost their job in the queue: they wait for a worker again`);
      startScheduler({ ...context, now, ...(schedulePollMs === undefined ? {} : { pollMs: schedulePollMs }) });
    },
  };
}
