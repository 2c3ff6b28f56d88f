/** Where a run goes: into a folder of its own, or on with one that was cut off. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { inputDifferences, isRun, newRunId, type RunInputs, readRunFile } from '../runs/index.ts';

/** Differences that a refusal names. */
const SHOWN = 8;

export interface RunTarget {
  root: string;
  runId: string;
  startedAt: Date;
  isContinued: boolean;
}

export interface TargetFlags {
  out: string | undefined;
  resume: boolean;
  /** A run's folder among the operands. */
  run: string | undefined;
}

export function runTarget(flags: TargetFlags, inputs: RunInputs, cwd: string, now: Date): RunTarget {
  const runs = path.join(cwd, '.waymark', 'runs');
  if (flags.resume) {
    const root = flags.run ?? flags.out ?? newestOf(runs, inputs);
    const full = path.resolve(cwd, root);
    // So that one command begins a run and goes on with it: a folder that is still empty is no mistake.
    if (flags.run !== undefined || isRun(full)) return continued(full, inputs);
    return begun(full, now);
  }
  const runId = newRunId(now);
  const target = begun(path.resolve(cwd, flags.out ?? path.join(runs, runId)), now, runId);
  if (!isRun(target.root)) return target;
  throw new WaymarkError({
    code: 'usage_run_exists',
    message: `There is a run in ${target.root} already; nothing was run.`,
    hint: 'Add --resume to go on with it, or choose another folder with --out.',
  });
}

function begun(root: string, startedAt: Date, runId = newRunId(startedAt)): RunTarget {
  return { root, runId, startedAt, isContinued: false };
}

function continued(root: string, inputs: RunInputs): RunTarget {
  const { runId, startedAt, inputs: before } = readRunFile(root);
  if (!before) {
    throw new WaymarkError({
      code: 'usage_other_run',
      message: `The run ${root} does not say what it was made of, and can't be continued; nothing was run.`,
      hint: 'Begin a new one, without --resume.',
    });
  }
  const differences = inputDifferences(before, inputs);
  if (differences.length > 0) {
    const more = differences.length - SHOWN;
    const lines = [...differences.slice(0, SHOWN), ...(more > 0 ? [`And ${more} more.`] : [])];
    throw new WaymarkError({
      code: 'usage_other_run',
      message: `The run ${root} was begun with something else; nothing was run.\n${lines.join('\n')}`,
      hint: 'Give the same tasks and flags to go on with it, or begin a new one without --resume.',
    });
  }
  return { root, runId, startedAt: new Date(startedAt), isContinued: true };
}

/** The newest run of these inputs: ids begin with the time. */
function newestOf(runs: string, inputs: RunInputs): string {
  const names = existsSync(runs) ? readdirSync(runs).sort().reverse() : [];
  const found = names.find((name) => isRun(path.join(runs, name)) && hashOf(path.join(runs, name)) === inputs.hash);
  if (found !== undefined) return path.join(runs, found);
  throw new WaymarkError({
    code: 'usage_no_run',
    message: `There is no run of these tasks and flags in ${runs}; nothing was run.`,
    hint: 'Name its folder (--resume <run>, or --out <folder> --resume), or begin one without --resume.',
  });
}

function hashOf(root: string): string | undefined {
  try {
    return readRunFile(root).inputs?.hash;
  } catch {
    // Not ours to judge: another version's, or half removed.
    return undefined;
  }
}
