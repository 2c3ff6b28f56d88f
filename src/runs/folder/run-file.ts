/** `run.json`: the plan of a run, and when it ended. With the journals it is all that a run needs to be resumed or reported. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../../errors/index.ts';
import { type RunPlan, runPlanSchema } from '../../events/index.ts';
import { putJson } from '../../journal/index.ts';
import { withAddedCells } from './added-cells.ts';
import { oldRunFileSchema, runFileOfOld } from './old-run-file.ts';

const runFileSchema = z.strictObject({
  format: z.literal('waymark.run.v2'),
  plan: runPlanSchema,
  /** Absent while the run is executed, and after a kill. */
  endedAt: z.iso.datetime().optional(),
});

export interface RunFile {
  plan: RunPlan;
  endedAt?: string | undefined;
  /** Version 0.1.0 made it. */
  isOld?: true;
  /** Of such a run: why attempts could not be begun, by their folder. */
  notBegun?: ReadonlyMap<string, string>;
}

export function writeRunFile(root: string, { plan, endedAt }: RunFile): void {
  putJson(path.join(root, 'run.json'), {
    format: 'waymark.run.v2',
    plan,
    ...(endedAt === undefined ? {} : { endedAt }),
  });
}

export function isRun(root: string): boolean {
  return existsSync(path.join(root, 'run.json'));
}

/** Questions asked of a model, in place of tasks for an agent. */
export function isQuestionRun(root: string): boolean {
  return readRunFile(root).plan.variant.kind === 'model';
}

export function readRunFile(root: string): RunFile {
  const file = path.join(root, 'run.json');
  const value = existsSync(file) ? jsonAt(file) : undefined;
  const run = runIn(value);
  const isNamed = run && isFileName(run.plan.runId);
  if (isNamed) return run.isOld ? run : { ...run, plan: withAddedCells(run.plan, root) };
  const why = run
    ? `its run.json has the id ${JSON.stringify(run.plan.runId)}, which is no file name`
    : existsSync(file)
      ? 'its run.json is not understood'
      : existsSync(root)
        ? 'it has no run.json'
        : 'it is not there';
  throw new WaymarkError({
    code: 'usage_not_a_run',
    message: `${root} is no run: ${why}.`,
    hint: 'Give a folder that `waymark run` made; by default they are in .waymark/runs.',
  });
}

function runIn(value: unknown): RunFile | undefined {
  const parsed = runFileSchema.safeParse(value);
  if (parsed.success) return { plan: parsed.data.plan, endedAt: parsed.data.endedAt };
  const old = oldRunFileSchema.safeParse(value);
  return old.success ? runFileOfOld(old.data) : undefined;
}

/** Reports are named after the run: an id that is a path would put them elsewhere. */
function isFileName(runId: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(runId);
}

function jsonAt(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Reported as a run.json that is not understood.
    return undefined;
  }
}
