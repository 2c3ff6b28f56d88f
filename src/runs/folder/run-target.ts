/** The folder that a run goes into: a new one, or that of an earlier run that is resumed. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import type { RunInputs } from '../../events/index.ts';
import { type ResolvedRun, resumedAs } from '../resolve-run.ts';
import { isUuid } from '../run-id.ts';
import { inputDifferences } from '../run-inputs.ts';
import { runExists } from './folder-run-store.ts';
import { isRun, readRunFile } from './run-file.ts';

/** Differences that a refusal names. */
const SHOWN = 8;

export interface TargetChoices {
  /** The run's folder; by default `.waymark/runs/<run-id>`. */
  out: string | undefined;
  resume: boolean;
  /** The folder of the run to resume. */
  run: string | undefined;
  cwd: string;
}

export interface RunTarget<R extends ResolvedRun = ResolvedRun> {
  root: string;
  run: R;
  isResumed: boolean;
}

export function runTarget<R extends ResolvedRun>(
  run: R,
  { out, resume, run: given, cwd }: TargetChoices,
): RunTarget<R> {
  const runs = path.join(cwd, '.waymark', 'runs');
  if (!resume) {
    const root = path.resolve(cwd, out ?? path.join(runs, run.plan.runId));
    if (isRun(root)) throw runExists(root);
    return { root, run, isResumed: false };
  }
  const root = path.resolve(cwd, given ?? out ?? newestOf(runs, run.plan.inputs));
  // One command begins a run and resumes it: a folder that is still empty is no mistake.
  if (given === undefined && !isRun(root)) return { root, run, isResumed: false };
  const { plan } = readRunFile(root);
  checkInputs(root, plan.inputs, run.plan.inputs);
  return { root, run: resumedAs(run, plan), isResumed: true };
}

function checkInputs(root: string, before: RunInputs, now: RunInputs): void {
  if (before.hash === '') {
    throw new WaymarkError({
      code: 'usage_other_run',
      message: `Cannot resume ${root}: its run.json does not name its inputs. Nothing was run.`,
      hint: 'Start a new run, without --resume.',
    });
  }
  const differences = inputDifferences(before, now);
  if (differences.length === 0) return;
  const more = differences.length - SHOWN;
  const lines = [...differences.slice(0, SHOWN), ...(more > 0 ? [`And ${more} more.`] : [])];
  throw new WaymarkError({
    code: 'usage_other_run',
    message: `Cannot resume ${root}: its inputs differ from this command's. Nothing was run.\n${lines.join('\n')}`,
    hint: 'Give the same cases and flags to resume it, or start a new run without --resume.',
  });
}

/** The newest run of these inputs. Ids of today are UUIDs and sort by time; older ids are all older, and sort by time too. */
function newestOf(runs: string, inputs: RunInputs): string {
  const names = existsSync(runs) ? readdirSync(runs).sort().reverse() : [];
  const newestFirst = [...names.filter(isUuid), ...names.filter((name) => !isUuid(name))];
  const found = newestFirst.find((name) => isOf(path.join(runs, name), inputs));
  if (found !== undefined) return path.join(runs, found);
  throw new WaymarkError({
    code: 'usage_no_run',
    message: `There is no run of these cases and flags in ${runs}. Nothing was run.`,
    hint: 'Name its folder (--resume <run>, or --out <folder> --resume), or start one without --resume.',
  });
}

function isOf(root: string, inputs: RunInputs): boolean {
  if (!isRun(root)) return false;
  try {
    const { plan } = readRunFile(root);
    return plan.inputs.hash !== '' && inputDifferences(plan.inputs, inputs).length === 0;
  } catch {
    // Written by a later version, or half removed: not the run that is looked for.
    return false;
  }
}
