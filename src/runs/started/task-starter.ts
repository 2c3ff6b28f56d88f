/** Who starts runs of tasks for requests and schedules, and what is refused before anything is started. */
import { WaymarkError } from '../../errors/index.ts';
import type { StartRequest } from './start-request.ts';
import type { StartedRuns } from './started-runs.ts';

export interface TaskStarter {
  readonly started: StartedRuns;
  /** Throws for an address of a model that this server may not call. */
  readonly assertUrl: (url: string) => Promise<unknown>;
}

/** `starter`: undefined where the server may start nothing. */
export function starterOr(starter: TaskStarter | undefined): TaskStarter {
  if (starter) return starter;
  throw new WaymarkError({
    code: 'runs_not_allowed',
    message: 'This server does not start runs.',
    hint: 'Start it with --allow-runs yes: then who reaches it can start programs on its machine, with its keys.',
  });
}

/** Refuses a suite or a variant that the server does not offer, and an address that it may not call. */
export async function assertStart({ started, assertUrl }: TaskStarter, request: StartRequest): Promise<void> {
  started.assertOffered(request);
  if (request.baseUrl !== undefined) await assertUrl(request.baseUrl);
}
