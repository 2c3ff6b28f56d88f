/** `report.json` as `--json` prints it: with the folder that it is in. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export function reportJson(root: string): string {
  const report: object = JSON.parse(readFileSync(path.join(root, 'report.json'), 'utf8'));
  return `${JSON.stringify({ ...report, folder: root }, null, 2)}\n`;
}
