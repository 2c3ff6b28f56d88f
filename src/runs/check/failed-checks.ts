/** Tasks that failed `waymark check`, in `.waymark/failed-checks`: a comparison that rests on one of them is no headline. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { putJson } from '../../journal/index.ts';

const recordSchema = z.object({
  format: z.literal('waymark.failed-check.v1'),
  taskId: z.string(),
  /** The rules whose findings are errors. */
  rules: z.array(z.string()),
});

export interface CheckRecord {
  taskId: string;
  /** Of the task without its caps, as the inputs of a run have it. */
  hash: string;
  /** The rules whose findings are errors; none where the task is sound. */
  rules: readonly string[];
}

export function failedChecksFolder(cwd: string): string {
  return path.join(cwd, '.waymark', 'failed-checks');
}

/** `isWhole` is false for a check that tried only a part: what it did not find, an earlier one may have found. */
export function keepFailedChecks(folder: string, checked: readonly CheckRecord[], isWhole: boolean): void {
  for (const { taskId, hash, rules } of checked) {
    const file = fileOf(folder, hash);
    if (rules.length > 0) {
      mkdirSync(folder, { recursive: true });
      putJson(file, { format: 'waymark.failed-check.v1', taskId, rules: [...new Set(rules)].sort() });
    } else if (isWhole) rmSync(file, { force: true });
  }
}

/** The rules by which the task failed its last check; undefined where it did not fail, or was not checked. */
export function failedCheck(folder: string, hash: string): string[] | undefined {
  // A hash that is none comes from a run.json that was changed: it must not lead elsewhere.
  const file = /^[0-9a-f]{64}$/.test(hash) ? fileOf(folder, hash) : undefined;
  if (file === undefined || !existsSync(file)) return undefined;
  return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).rules;
}

function fileOf(folder: string, hash: string): string {
  return path.join(folder, `${hash}.json`);
}
