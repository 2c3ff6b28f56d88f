/** Questions given to a run of tasks: each line would be refused as a task, which does not say what is missing. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readDataset } from '../cases/index.ts';
import { WaymarkError } from '../errors/index.ts';

/** Of a file that is looked at only for a better message. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The error to show in place of `thrown`. */
export async function datasetWithoutModel(thrown: unknown, operands: readonly string[], cwd: string): Promise<unknown> {
  const [file, another] = operands;
  if (!(thrown instanceof WaymarkError) || thrown.fault !== 'usage' || file === undefined || another !== undefined)
    return thrown;
  try {
    const about = statSync(path.resolve(cwd, file));
    // To read a device has no end.
    if (!about.isFile() || about.size > MAX_BYTES) return thrown;
    const { report } = await readDataset(readFileSync(path.resolve(cwd, file)));
    if (report.accepted === 0 || report.problems.length > 0) return thrown;
  } catch {
    // It is no dataset: what was thrown says why it is no task either.
    return thrown;
  }
  return new WaymarkError({
    code: 'usage_bad_tasks',
    message: `${file} is a dataset of questions, which are asked of a model. Nothing was run.`,
    hint: `For example: waymark run ${file} --model openai:gpt-5-mini`,
  });
}
