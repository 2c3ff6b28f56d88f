/** `report.md`: tasks that no attempt has passed, and those that are counted apart. */
import { cell } from './markdown-cell.ts';
import type { QuarantinedTask } from './task-passes.ts';

/** Names that are listed; report.json has more. */
const LISTED = 50;

export function quarantineList(tasks: readonly QuarantinedTask[]): string {
  const lines = tasks.map(
    ({ taskId, reason, until, finished, passed }) =>
      `- ${taskId}, until ${until}: ${cell(reason)} ${passed} of ${finished} passed.\n`,
  );
  return `## Quarantined\n\nThey were run, and count in none of the numbers above.\n\n${lines.join('')}\n`;
}

export function neverPassedList(names: readonly string[]): string {
  const more = names.length - LISTED;
  const lines = [...names.slice(0, LISTED).map((name) => `- ${name}\n`), ...(more > 0 ? [`- ${more} more\n`] : [])];
  return `## Never passed\n\nNo attempt of this run has passed them: the agent can't do them, or they can't be done (\`waymark check\` tells).\n\n${lines.join('')}\n`;
}
