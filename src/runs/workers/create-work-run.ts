/** Makes a run that workers execute: its package among the artifacts, then its rows in one transaction. From then on it is claimed. */
import type { Artifacts, Store } from '../../store/index.ts';
import { schema } from '../../store/index.ts';
import { insertRun } from '../database/insert-run.ts';
import type { Environment } from '../open-run-model.ts';
import { resolveRun } from '../resolve-run.ts';
import type { TaskChoices, TaskRun } from '../resolve-tasks.ts';
import { packRun } from './pack-run.ts';
import { neededVariables, travellingChoices } from './travelling-choices.ts';
import { WORK_TOPIC } from './work-rows.ts';

export interface WorkContext {
  readonly store: Store;
  readonly artifacts: Artifacts;
}

/** Resolved as any other run, without the secrets: nothing is executed here. */
export async function resolveWorkRun(choices: TaskChoices): Promise<TaskRun> {
  travellingChoices(choices);
  return resolveRun({ ...choices, env: withoutSecrets(choices), hasSecrets: false });
}

export async function createWorkRun(
  { store, artifacts }: WorkContext,
  run: TaskRun,
  { choices, labels = [] }: { choices: TaskChoices; labels?: readonly string[] | undefined },
): Promise<void> {
  const { plan, tasks } = run;
  const packageKey = await packRun(run, choices, artifacts);
  const secretsOf = (caseId: string): readonly string[] => tasks.get(caseId)?.task.secrets ?? [];
  const secrets = [...new Set([...tasks.keys()].flatMap(secretsOf))];
  const cells = plan.cells.map((cell) => {
    const needs = secretsOf(cell.caseId);
    return { ...cell, state: 'pending' as const, ...(needs.length > 0 ? { snapshot: { needs } } : {}) };
  });
  const startedAt = new Date(plan.createdAt);
  await store.db.transaction(async (tx) => {
    await insertRun(tx, plan, { status: 'running', triggeredBy: 'manual', startedAt }, cells);
    await tx.insert(schema.runWork).values({
      runId: plan.runId,
      version: choices.version,
      packageKey,
      needs: neededVariables(choices),
      secrets,
      labels: [...labels],
    });
    await store.signals.send(tx, WORK_TOPIC);
  });
}

/** Models are opened to check what was chosen; that takes a key, but not the right one. */
function withoutSecrets(choices: TaskChoices): Environment {
  return { ...Object.fromEntries(neededVariables(choices).map((name) => [name, NO_KEY])), ...choices.env };
}

const NO_KEY = 'only-workers-have-this-key';
