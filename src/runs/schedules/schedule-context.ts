/** What schedules work with. */
import type { LaunchContext } from '../answers/launch-run.ts';
import type { RunFolders } from '../live/run-folders.ts';
import type { TaskStarter } from '../started/task-starter.ts';

export interface ScheduleContext extends LaunchContext {
  /** Undefined where the server may start nothing: schedules of tasks are left alone. */
  starter?: TaskStarter | undefined;
  /** Where runs of tasks are found again. */
  folders?: RunFolders | undefined;
}
