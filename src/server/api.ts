/** The type of all routes, for clients. It comes from the same schemas as the OpenAPI document. A new route module is added here. */
import type { AllRunsRoutes } from './routes/all-runs.ts';
import type { DatasetRoutes } from './routes/datasets.ts';
import type { ExperimentRoutes } from './routes/experiments.ts';
import type { GradeRoutes } from './routes/grades.ts';
import type { ImportRoutes } from './routes/imports.ts';
import type { LaunchRoutes } from './routes/launch.ts';
import type { OverviewRoutes } from './routes/overview.ts';
import type { PackRoutes } from './routes/packs.ts';
import type { ProviderRoutes } from './routes/providers.ts';
import type { RunChangeRoutes } from './routes/run-changes.ts';
import type { RunExportRoutes } from './routes/run-exports.ts';
import type { RunFolderRoutes } from './routes/run-folders.ts';
import type { RunRoutes } from './routes/runs.ts';
import type { RunsEventsRoutes } from './routes/runs-events.ts';
import type { ScheduleRoutes } from './routes/schedules.ts';
import type { StartedRunRoutes } from './routes/started-runs.ts';
import type { WorkerRoutes } from './routes/workers.ts';

export type Api =
  | AllRunsRoutes
  | DatasetRoutes
  | ExperimentRoutes
  | GradeRoutes
  | ImportRoutes
  | LaunchRoutes
  | OverviewRoutes
  | PackRoutes
  | ProviderRoutes
  | RunChangeRoutes
  | RunExportRoutes
  | RunFolderRoutes
  | RunRoutes
  | RunsEventsRoutes
  | ScheduleRoutes
  | StartedRunRoutes
  | WorkerRoutes;
