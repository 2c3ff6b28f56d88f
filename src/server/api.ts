/** All routes as one type, for clients: the schemas that OpenAPI is made of, and nothing written twice. A room with routes adds its own. */
import type { DatasetRoutes } from './rooms/browser-harness/datasets.ts';
import type { ImportRoutes } from './rooms/browser-harness/imports.ts';
import type { LaunchRoutes } from './rooms/browser-harness/launch.ts';
import type { PackRoutes } from './rooms/browser-harness/packs.ts';
import type { ProviderRoutes } from './rooms/browser-harness/providers.ts';
import type { RunRoutes } from './rooms/browser-harness/runs.ts';
import type { RunsEventsRoutes } from './rooms/browser-harness/runs-events.ts';
import type { ScheduleRoutes } from './rooms/browser-harness/schedules.ts';

export type Api =
  | DatasetRoutes
  | ImportRoutes
  | LaunchRoutes
  | PackRoutes
  | ProviderRoutes
  | RunRoutes
  | RunsEventsRoutes
  | ScheduleRoutes;
