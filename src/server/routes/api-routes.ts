/** The Browser Harness on the server: datasets, providers, packs, imports, runs, schedules, and the workers that ask and score. */

import { MAX_BODY_BYTES } from '../../archives/index.ts';
import type { TokenKeys } from '../../capture/index.ts';
import { type CallLimits, ProviderSlots } from '../../models/index.ts';
import {
  type RunFolders,
  requeueFurther,
  requeueLost,
  type StartedRuns,
  startFurther,
  startGrading,
  startLaunching,
  startScheduler,
} from '../../runs/index.ts';
import { newRouter, type RouteModule } from '../route-module.ts';
import { allRunsRoutes } from './all-runs.ts';
import { datasetRoutes } from './datasets.ts';
import { experimentRoutes } from './experiments.ts';
import { gradeRoutes } from './grades.ts';
import { importRoutes } from './imports.ts';
import { launchRoutes } from './launch.ts';
import { overviewRoutes } from './overview.ts';
import { packRoutes } from './packs.ts';
import { providerRoutes } from './providers.ts';
import type { Fixtures } from './route-context.ts';
import { runChangeRoutes } from './run-changes.ts';
import { runExportRoutes } from './run-exports.ts';
import { runRoutes } from './runs.ts';
import { runsEventsRoutes } from './runs-events.ts';
import { scheduleRoutes } from './schedules.ts';
import { taskStarter } from './task-starter.ts';
import { urlGuard } from './url-guard.ts';
import { workerRoutes } from './workers.ts';

export interface ApiRoutesOptions {
  /** They sign packs and know them again; no answer ever holds them. */
  keys: TokenKeys;
  /** Chat pages to practise on, served beside the server by the process that starts it. */
  fixtures?: Fixtures | undefined;
  /** Runs in folders, which are listed with those of the database. */
  folders?: RunFolders | undefined;
  /** For schedules of tasks; undefined where the server may start no runs. */
  started?: StartedRuns | undefined;
  /** The folder of tasks that failed `waymark check`. */
  checks?: string | undefined;
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

export function apiRoutes(options: ApiRoutesOptions): RouteModule {
  const {
    keys,
    fixtures,
    folders,
    started,
    checks,
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
      const starter = taskStarter(context, started);
      const routeContext = { ...context, keys, fixtures, folders, starter, checks, now };
      const router = newRouter();
      for (const routes of [
        datasetRoutes,
        providerRoutes,
        packRoutes,
        importRoutes,
        launchRoutes,
        // These before `/runs/{id}`, which would take their names for an id.
        runsEventsRoutes,
        runExportRoutes,
        runChangeRoutes,
        overviewRoutes,
        // Before `/all-runs/{id}`.
        experimentRoutes,
        allRunsRoutes,
        runRoutes,
        gradeRoutes,
        scheduleRoutes,
        workerRoutes,
      ]) {
        router.route('/', routes(routeContext));
      }
      return router;
    },
    start: async (context) => {
      const { queue, store, keyAccess } = context;
      const slots = new ProviderSlots(PROVIDER_CONCURRENCY);
      const assertUrl = urlGuard(context);
      await startGrading(queue, { store, assertUrl, keyAccess, slots, limits: judgeLimits });
      const { artifacts } = context;
      await startFurther(queue, { store, artifacts, assertUrl, keyAccess, slots, limits: judgeLimits });
      const progress = progressMs === undefined ? {} : { progressMs };
      await startLaunching({
        store,
        queue,
        artifacts,
        assertUrl,
        keyAccess,
        slots,
        limits: askLimits,
        now,
        ...progress,
      });
      const lost = (await requeueLost(store, queue)) + (await requeueFurther(store, queue));
      if (lost > 0) context.log(`${lost} runs had lost their job in the queue: they wait for a worker again`);
      const starter = taskStarter(context, started);
      startScheduler({
        ...context,
        now,
        folders,
        starter,
        ...(schedulePollMs === undefined ? {} : { pollMs: schedulePollMs }),
      });
    },
  };
}
