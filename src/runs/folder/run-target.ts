/** The folder that a run goes into: a new one, or that of an earlier run that is resumed. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import type { RunInputs } from '../../events/index.ts';
import { type ResolvedRun, resumedAs } from '../resolve-run.ts';
import { inputDifferences } from '../run-inputs.ts';
import { attemptsOf } from './attempt-folders.ts';
import { runExists } from './folder-run-store.ts';
import { MANIFEST_FILE } from './manifest-file.ts';
import { newestRuns, removeUnbegun, runsFolder } from './newest-runs.ts';
import { isRun, readRunFile } from './run-file.ts';
import { isLocked, removeStaleLock } from './run-lock.ts';

/** Differences that a refusal names. */
const SHOWN = 8;

export interface TargetChoices {
  /** The run's folder; by default `.waymark/runs/<run-id>`. */
  out: string | undefined;
  resume: boolean;
  /** The folder of the run to resume. */
  run: string | undefined;
  cwd: string;
  /** The same command again: an unfinished run of these inputs is continued without being asked for. */
  continues?: boolean | undefined;
}

export interface RunTarget<R extends ResolvedRun = ResolvedRun> {
  root: string;
  run: R;
  isResumed: boolean;
  /** Of a run that is resumed: it has its end already, and was not killed. */
  isEnded?: boolean;
}

export function runTarget<R extends ResolvedRun>(run: R, choices: TargetChoices): RunTarget<R> {
  const { out, resume, run: given, cwd, continues = false } = choices;
  const runs = runsFolder(cwd);
  const { inputs } = run.plan;
  const begun = (root: string): RunTarget<R> => ({ root, run, isResumed: false });
  const resumed = (root: string): RunTarget<R> => {
    const { plan, endedAt } = readRunFile(root);
    checkInputs(root, plan.inputs, inputs);
    return { root, run: resumedAs(run, plan), isResumed: true, isEnded: endedAt !== undefined };
  };
  if (resume) {
    const root = path.resolve(cwd, given ?? out ?? newestOf(runs, inputs));
    // One command begins a run and resumes it: a folder that is still empty is no mistake.
    return given === undefined && !isRun(root) ? begun(root) : resumed(root);
  }
  if (out === undefined) {
    removeUnbegun(runs);
    const found = continues ? newestRuns(runs).find((root) => isOf(root, inputs)) : undefined;
    const isFree = found !== undefined && !isLocked(found);
    if (isFree && hasWorkLeft(found)) return resumed(found);
    if (isFree) removeStaleLock(found);
    return begun(path.join(runs, run.plan.runId));
  }
  const root = path.resolve(cwd, out);
  if (!isRun(root)) return begun(root);
  if (!continues) throw runExists(root);
  refuseOther(root, inputs);
  if (!hasWorkLeft(root)) throw runExists(root, 'finished');
  return resumed(root);
}

function checkInputs(root: string, before: RunInputs, now: RunInputs): void {
  if (before.hash === '') {
    throw new WaymarkError({
      code: 'usage_other_run',
      message: `Cannot resume ${root}: its run.json does not name its inputs. Nothing was run.`,
      hint: 'Start a new run, without --resume.',
    });
  }
  const lines = differenceLines(before, now);
  if (lines.length === 0) return;
  throw new WaymarkError({
    code: 'usage_other_run',
    message: `Cannot resume ${root}: its inputs differ from this command's. Nothing was run.\n${lines.join('\n')}`,
    hint: 'Give the same cases and flags to resume it, or start a new run without --resume.',
  });
}

/** Changed inputs are a new run, which needs a folder of its own. */
function refuseOther(root: string, now: RunInputs): void {
  const { inputs } = readRunFile(root).plan;
  const lines = inputs.hash === '' ? ['Its run.json does not name its inputs.'] : differenceLines(inputs, now);
  if (lines.length === 0) return;
  throw new WaymarkError({
    code: 'usage_run_exists',
    message: `There is a run in ${root} already, and its inputs differ from this command's. Nothing was run.\n${lines.join('\n')}`,
    hint: 'Choose another folder with --out.',
  });
}

function differenceLines(before: RunInputs, now: RunInputs): string[] {
  const differences = inputDifferences(before, now);
  const more = differences.length - SHOWN;
  return [...differences.slice(0, SHOWN), ...(more > 0 ? [`And ${more} more.`] : [])];
}

/** The newest run of these inputs. */
function newestOf(runs: string, inputs: RunInputs): string {
  const found = newestRuns(runs).find((root) => isOf(root, inputs));
  if (found !== undefined) return found;
  throw new WaymarkError({
    code: 'usage_no_run',
    message: `There is no run of these cases and flags in ${runs}. Nothing was run.`,
    hint: 'Name its folder (--resume <run>, or --out <folder> --resume), or start one without --resume.',
  });
}

function isOf(root: string, inputs: RunInputs): boolean {
  try {
    // Most runs are others: to look for the hash is much cheaper than to read the file.
    if (!readFileSync(path.join(root, 'run.json')).includes(JSON.stringify(inputs.hash))) return false;
    const { plan } = readRunFile(root);
    return plan.inputs.hash !== '' && inputDifferences(plan.inputs, inputs).length === 0;
  } catch {
    // Written by a later version, or half removed: not the run that is looked for.
    return false;
  }
}

/** The manifest is written last: a kill between the end of a run and its reports leaves none. */
function hasWorkLeft(root: string): boolean {
  return isUnfinished(root) || !existsSync(path.join(root, MANIFEST_FILE));
}

/** It was killed, or stopped with cells left. A cell that could not be begun has had its turn: --resume tries it again. */
export function isUnfinished(root: string): boolean {
  const { plan, endedAt } = readRunFile(root);
  if (endedAt === undefined) return true;
  return plan.cells.some((cell) => {
    const attempts = attemptsOf(root, cell);
    return attempts.at(-1)?.notBegun === undefined && !attempts.some(({ finished }) => finished);
  });
}
