/** Joins the runs of all shards into one run: the same cells, inputs and suite as those of one run without shards. The parts stay as they are. */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { someOf, WaymarkError } from '../errors/index.ts';
import type { RunInputs, RunPlan } from '../events/index.ts';
import { mergeShards } from './choosing/shard.ts';
import { runExists } from './folder/folder-run-store.ts';
import { runsFolder } from './folder/newest-runs.ts';
import { type RunFile, readRunFile, writeRunFile } from './folder/run-file.ts';
import { isLocked } from './folder/run-lock.ts';
import { isUnfinished } from './folder/run-target.ts';
import { newRunId } from './run-id.ts';
import { hashOf, inputDifferences, withSources } from './run-inputs.ts';
import { type WrittenReports, writeReports } from './write-reports.ts';

/** Inputs of single tasks: shards have others. All other inputs must be the same. */
const OF_TASKS = /^(?:the task|maxSteps of|maxDurationMs of|what the agent is given for) /;

export interface MergeChoices {
  /** The folders of the runs, in any order. */
  runs: readonly string[];
  /** The folder of the new run; by default `.waymark/runs/<run-id>`. */
  out?: string | undefined;
  cwd: string;
  now?: Date | undefined;
}

export interface MergedRun extends WrittenReports {
  root: string;
}

interface Part extends RunFile {
  root: string;
  shard: NonNullable<RunPlan['shard']>;
}

export async function mergeRuns({ runs, out, cwd, now = new Date() }: MergeChoices): Promise<MergedRun> {
  const parts = inOrder(runs.map((run) => partAt(path.resolve(cwd, run))));
  const plan = planOf(parts, now);
  const root = path.resolve(cwd, out ?? path.join(runsFolder(cwd), plan.runId));
  if (existsSync(root)) throw runExists(root);
  // Made beside it and renamed into place: after a kill there is the whole run, or none.
  const made = `${root}.${plan.runId}.new`;
  try {
    mkdirSync(path.join(made, 'episodes'), { recursive: true });
    for (const part of parts) {
      const episodes = path.join(part.root, 'episodes');
      if (existsSync(episodes)) cpSync(episodes, path.join(made, 'episodes'), { recursive: true, errorOnExist: true });
    }
    const endedAt = parts
      .flatMap((part) => part.endedAt ?? [])
      .sort()
      .at(-1);
    writeRunFile(made, { plan, endedAt });
    renameSync(made, root);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return { root, ...(await writeReports(root)) };
}

function partAt(root: string): Part {
  const run = readRunFile(root);
  const { shard } = run.plan;
  if (!shard) throw refused(`${root} is not a shard: it was run without --shard.`);
  if (isLocked(root)) throw refused(`${root} is still being written.`, 'Wait until it has ended.');
  if (isUnfinished(root))
    throw refused(
      `Shard ${shard.index}/${shard.of} (${root}) has not finished.`,
      'Run its command again to finish it.',
    );
  return { ...run, root, shard };
}

/** Each shard of one whole, once. */
function inOrder(parts: readonly Part[]): [Part, ...Part[]] {
  const sorted = parts.toSorted((a, b) => a.shard.index - b.shard.index);
  const [first, ...others] = sorted;
  if (!first) throw refused('Give the folders of the runs to merge.', 'waymark merge shard-1/ shard-2/ --out runs/all');
  for (const part of others) {
    const { shard, plan } = part;
    const differences = inputDifferences(withoutTasks(first.plan.inputs), withoutTasks(plan.inputs));
    if (hashOf(plan.variant) !== hashOf(first.plan.variant)) differences.push('the variant has changed.');
    if (shard.of !== first.shard.of) differences.push(`${shard.of} shards in place of ${first.shard.of}.`);
    if (shard.suite !== first.shard.suite)
      differences.push('the tasks that were chosen, of which each shard is a part, are others.');
    if (plan.trials !== first.plan.trials) differences.push(`${plan.trials} trials in place of ${first.plan.trials}.`);
    if (differences.length > 0)
      throw refused(`${part.root} and ${first.root} are not shards of one run:\n${differences.slice(0, 8).join('\n')}`);
  }
  const twice = others.find(({ shard }, at) => shard.index === sorted[at]?.shard.index);
  if (twice) throw refused(`Shard ${twice.shard.index}/${twice.shard.of} is given twice.`);
  const { of } = first.shard;
  const there = new Set(sorted.map(({ shard }) => shard.index));
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !there.has(index));
  if (missing.length > 0)
    throw refused(
      `Of ${of} shards, ${missing.length === 1 ? 'one is' : 'some are'} missing: ${someOf(missing.map(String))}.`,
    );
  return [first, ...others];
}

function withoutTasks({ of }: RunInputs): RunInputs {
  return { hash: '', of: Object.fromEntries(Object.entries(of).filter(([name]) => !OF_TASKS.test(name))) };
}

function planOf(parts: [Part, ...Part[]], now: Date): RunPlan {
  const [first] = parts;
  const { shard, oracleSteps: _, ...plan } = first.plan;
  const of = Object.assign({}, ...parts.map((part) => part.plan.inputs.of));
  const oracleSteps = Object.assign({}, ...parts.map((part) => part.plan.oracleSteps ?? {}));
  const byCase = parts.map((part) => [...Map.groupBy(part.plan.cells, ({ caseId }) => caseId).values()]);
  return {
    ...plan,
    runId: newRunId(now),
    suite: {
      name: plan.suite.name,
      hash: shard?.suite ?? '',
      ...withSources(parts.flatMap((part) => part.plan.suite.sources ?? [])),
    },
    cells: mergeShards(byCase).flat(),
    inputs: { hash: hashOf(of), of },
    ...(Object.keys(oracleSteps).length > 0 ? { oracleSteps } : {}),
    mergedFrom: parts.map((part) => part.plan.runId),
    createdAt: Math.min(...parts.map((part) => part.plan.createdAt)),
  };
}

function refused(message: string, hint?: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_merge',
    message: `${message}${message.includes('\n') ? '\n' : ' '}Nothing was merged.`,
    hint: hint ?? 'Give the run of every shard, each once, all of the same command but for --shard.',
  });
}
