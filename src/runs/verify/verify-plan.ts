/** Whether `run.json`, the folders and the journals tell of the same run: the tasks that were planned are those that were run, each as often as planned. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type EpisodeTaskSpec, taskHash } from '../../cases/index.ts';
import type { RunPlan, TaskStart } from '../../events/index.ts';
import type { RecordedCell } from '../folder/recorded-cells.ts';
import type { RunFile } from '../folder/run-file.ts';
import { hashOf, hashWithoutCaps } from '../run-inputs.ts';
import type { Discrepancy } from './discrepancy.ts';

/** Of the plan by itself, and of folders that are of no planned attempt. `tasks`: by case, the hash of the task that its journal has. */
export function planDifferences(
  root: string,
  { plan, isOld }: RunFile,
  cells: readonly RecordedCell[],
  tasks: ReadonlyMap<string, string>,
): Discrepancy[] {
  // Version 0.1.0 has no plan of its own: it is made of the folders.
  const own = isOld ? [] : [...inputDifferences(plan), ...cellDifferences(plan), ...suiteDifference(plan, tasks)];
  return [...own, ...strayFolders(root, cells)];
}

/** What a journal says of itself must be what the plan says of its place. */
export function startDifferences(
  { seq, runId, taskId, trial, attempt, task, server, environment }: TaskStart,
  cell: Pick<RecordedCell, 'caseId' | 'trial' | 'attempt'>,
  { plan, isOld }: RunFile,
): Discrepancy[] {
  const spec = task as EpisodeTaskSpec;
  const { variant, inputs } = plan;
  const { of } = inputs;
  // The caps are inputs of their own; the inputs of an imported trace have the whole task.
  const hashes = [hashWithoutCaps(spec), taskHash(spec)];
  const known = of[`the task ${taskId}`];
  const planned = isOld
    ? []
    : ([
        [hashes.find((hash) => hash === known) ?? hashes[0], known],
        [spec.maxSteps, of[`maxSteps of ${taskId}`]],
        [spec.maxDurationMs, of[`maxDurationMs of ${taskId}`]],
        [environment.waymark, of['waymark']],
      ] as const);
  const names = variant.kind === 'agent' ? ([[server.name, variant.server.name]] as const) : [];
  const places = [
    // The journals of a merged run name the runs that they were made in.
    [runId, plan.mergedFrom?.find((part) => part === runId) ?? plan.runId],
    [taskId, cell.caseId],
    [trial, cell.trial],
    [attempt, cell.attempt],
  ] as const;
  return [...places, ...names, ...planned].flatMap(([recorded, again]) =>
    again === undefined || recorded === again ? [] : [{ seq, what: 'plan', recorded, again }],
  );
}

function inputDifferences({ inputs, cells, variant }: RunPlan): Discrepancy[] {
  if (inputs.hash === '') return [];
  const again = hashOf(inputs.of);
  const names = Object.keys(inputs.of).filter((name) => name.startsWith('the task '));
  const cases = new Set(cells.map(({ caseId }) => `the task ${caseId}`));
  // The sessions of an environment become cells as they come; other runs have a cell for every task.
  const isEnv = variant.kind === 'agent' && variant.agent.kind === 'env';
  const missing = isEnv ? [] : names.filter((name) => !cases.has(name));
  const added = names.length === 0 ? [] : [...cases].filter((name) => !names.includes(name));
  return [
    ...(again === inputs.hash ? [] : [plan(inputs.hash, again)]),
    ...missing.map((name) => plan('in the inputs', `${name} has no cell`)),
    ...added.map((name) => plan('a cell', `${name} is not in the inputs`)),
  ];
}

function cellDifferences({ cells, trials }: RunPlan): Discrepancy[] {
  const byCase = Map.groupBy(cells, ({ caseId }) => caseId);
  const most = Math.max(0, ...cells.map(({ trial }) => trial));
  const gaps = [...byCase].flatMap(([caseId, ofCase]) => {
    const numbers = ofCase.map(({ trial }) => trial).sort((a, b) => a - b);
    return numbers.every((trial, index) => trial === index + 1)
      ? []
      : [plan(`the trials ${numbers.join(', ')} of ${caseId}`, 'each from 1, once')];
  });
  return [...gaps, ...(most === trials || cells.length === 0 ? [] : [plan(`${trials} trials`, `${most}`)])];
}

/** A task that was taken out of the plan, its inputs and its folders is still in the hash of the suite. */
function suiteDifference({ suite, cells, variant }: RunPlan, tasks: ReadonlyMap<string, string>): Discrepancy[] {
  const isWhole = cells.every(({ caseId }) => tasks.has(caseId));
  if (suite.hash === '' || !isWhole || (variant.kind === 'agent' && variant.agent.kind === 'env')) return [];
  const again = hashOf(Object.fromEntries(tasks));
  return again === suite.hash ? [] : [plan(suite.hash, `${again} is the hash of its tasks`)];
}

function strayFolders(root: string, cells: readonly RecordedCell[]): Discrepancy[] {
  const known = new Set(cells.flatMap(({ folder, earlier }) => [folder, ...earlier]));
  const episodes = path.join(root, 'episodes');
  if (!existsSync(episodes)) return [];
  return readdirSync(episodes, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(path.join(episodes, entry.name)).map((name) => path.join('episodes', entry.name, name))
        : [path.join('episodes', entry.name)],
    )
    .filter((folder) => !known.has(folder) && readdirSync(path.join(root, folder)).length > 0)
    .map((file) => ({ what: 'attempt', file, recorded: 'there', again: 'of no attempt that was planned' }));
}

function plan(recorded: string, again: string): Discrepancy {
  return { what: 'plan', file: 'run.json', recorded, again };
}
