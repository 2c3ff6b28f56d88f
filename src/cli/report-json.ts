/** `report.json` as `--json` prints it: with the folder that it is in. */
import { readReport } from '../runs/tasks.ts';

export function reportJson(root: string): string {
  return `${JSON.stringify({ ...readReport(root), folder: root }, null, 2)}\n`;
}
