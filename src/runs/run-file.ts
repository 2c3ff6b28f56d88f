/** `run.json`: what was planned, in order, and what it was made of. With the journals it is all that a run needs to be continued or reported. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../errors/index.ts';
import { putJson } from '../journal/index.ts';
import type { AttemptFolder } from './attempt-folders.ts';
import { runInputsSchema } from './run-inputs.ts';

const plannedEpisode = z.strictObject({
  /** Relative to the run's, as all folders here. */
  folder: z.string(),
  oracleSteps: z.number().int().optional(),
  /** Attempts before this one, which were cut off or never begun. */
  earlier: z.array(z.string()).optional(),
  /** Why it could not be begun. */
  failed: z.string().optional(),
  /** The run was stopped before its turn came. */
  pending: z.literal(true).optional(),
});

const RunFile = z.strictObject({
  format: z.literal('waymark.run.v1'),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  inputs: runInputsSchema.optional(),
  /** In the order of the plan. */
  episodes: z.array(plannedEpisode),
});
export type RunFile = z.infer<typeof RunFile>;

export function writeRunFile(root: string, run: RunFile): void {
  putJson(path.join(root, 'run.json'), run);
}

/** A place as run.json names it. `isOver`: nothing more will be run by this process. */
export function plannedAt(
  root: string,
  place: AttemptFolder,
  about: { oracleSteps: number; isOver: boolean },
): RunFile['episodes'][number] {
  const { folder, earlier, failed } = place;
  const relative = (of: string): string => path.relative(root, of);
  const isPending = about.isOver && failed === undefined && !existsSync(path.join(folder, 'events.jsonl'));
  return {
    folder: relative(folder),
    oracleSteps: about.oracleSteps,
    ...(earlier.length > 0 ? { earlier: earlier.map(relative) } : {}),
    ...(failed === undefined ? {} : { failed }),
    ...(isPending ? { pending: true } : {}),
  };
}

export function isRun(root: string): boolean {
  return existsSync(path.join(root, 'run.json'));
}

export function readRunFile(root: string): RunFile {
  const file = path.join(root, 'run.json');
  const parsed = existsSync(file) ? RunFile.safeParse(jsonAt(file)) : undefined;
  if (parsed?.success) return parsed.data;
  const why = parsed ? 'its run.json is not understood' : existsSync(root) ? 'it has no run.json' : 'it is not there';
  throw new WaymarkError({
    code: 'usage_not_a_run',
    message: `${root} is no run: ${why}.`,
    hint: 'Give a folder that `waymark run` made; by default they are in .waymark/runs.',
  });
}

function jsonAt(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The schema refuses undefined, and the caller says that the file is not understood.
    return undefined;
  }
}
