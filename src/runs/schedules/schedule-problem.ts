/** What keeps a schedule from launching, in words. */
import { WaymarkError } from '../../errors/index.ts';
import type { StartRequest } from '../started/start-request.ts';
import { starterOr, type TaskStarter } from '../started/task-starter.ts';

export function problemText({ message, hint }: WaymarkError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Why this server does not start these tasks, as far as it is known without starting them. */
export function blockerOf(starter: TaskStarter | undefined, tasks: StartRequest): string | null {
  try {
    starterOr(starter).started.assertOffered(tasks);
    return null;
  } catch (error) {
    if (error instanceof WaymarkError) return problemText(error);
    throw error;
  }
}
