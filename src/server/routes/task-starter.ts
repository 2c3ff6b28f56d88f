/** Runs of tasks start with the server's own limits on addresses. */
import type { StartedRuns, TaskStarter } from '../../runs/index.ts';
import type { ServerContext } from '../route-module.ts';
import { urlGuard } from './url-guard.ts';

/** `started`: undefined where the server may start nothing. */
export function taskStarter(context: ServerContext, started: StartedRuns | undefined): TaskStarter | undefined {
  return started && { started, assertUrl: urlGuard(context) };
}
