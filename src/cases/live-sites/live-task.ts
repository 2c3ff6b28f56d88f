/** A task on a public site that only a judge can decide. */
import { ANSWERED, MAX_DURATION_MS, titleOf } from '../rows/imported-row.ts';
import type { TaskInput } from '../tasks/task.ts';

/** Why a judge decides. */
export const SITE_CHANGES = 'What the site shows changes, so the benchmark asks a judge.';

const SAY = 'When you are done, say what you found or did.';

export function liveTask(
  given: Pick<TaskInput, 'id' | 'goal' | 'startUrl' | 'graders' | 'decidedBy'> &
    Partial<Pick<TaskInput, 'about' | 'tags' | 'category' | 'maxSteps'>>,
  allowWrites: boolean | undefined,
): TaskInput {
  const { goal, ...rest } = given;
  return {
    title: titleOf(goal),
    maxDurationMs: MAX_DURATION_MS,
    success: ANSWERED,
    ...rest,
    goal: `${goal}\n${SAY}`,
    ...(allowWrites ? { network: { mode: 'live', allowWrites: hostsOf(given.startUrl) } } : {}),
  };
}

/** The site itself, and what is below its name: pages often send to `api.` or `www.`. */
function hostsOf(url: string): string[] {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
  return /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(host) ? [host, `*.${host}`] : [];
}
