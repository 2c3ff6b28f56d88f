/** A dataset, a provider and a model become a queued run with all its cells, in one transaction with the job that asks them. */

import type { Dataset } from '../../cases/index.ts';
import type { Warning } from '../../errors/index.ts';
import { notFound, WaymarkError } from '../../errors/index.ts';
import {
  appendRunLog,
  callableProvider,
  getApiProvider,
  loadDataset,
  providerRef,
  type Queryable,
  type Queue,
  type Store,
  type Transaction,
} from '../../store/index.ts';
import { insertRun } from '../database/insert-run.ts';
import type { ProviderRef } from '../grading/judge-for-run.ts';
import { enqueueLaunch } from './enqueue-launch.ts';
import { launchOnce } from './launch-once.ts';
import { configOf, type LaunchRequest } from './launch-request.ts';
import { type LaunchPlan, planLaunch } from './plan-launch.ts';
import { modelVariant, questionPlan } from './question-plan.ts';
import type { Excluded } from './select-items.ts';

export interface LaunchContext {
  store: Store;
  queue: Queue;
  /** Of Waymark; part of a run's inputs. */
  version: string;
  now: () => Date;
}

export interface Launched {
  run_id: string;
  status: 'queued';
  items: number;
  excluded: readonly Excluded[];
  warnings: readonly Warning[];
}

/** Who or what began it. Someone who starts a schedule by hand is a person, and the run still the schedule's. */
export interface LaunchCause {
  triggeredBy: 'manual' | 'schedule';
  scheduleId?: string;
}

/** With a key, a repeated request launches nothing: it is answered like the first. */
export async function launchRun(context: LaunchContext, request: LaunchRequest, key?: string): Promise<Launched> {
  return await context.store.db.transaction((tx) =>
    launchOnce(tx, request, key, () => launchIn(context, tx, request, { triggeredBy: 'manual' })),
  );
}

/** As it would be launched, without a row. */
export async function draftLaunch(
  db: Queryable,
  request: LaunchRequest,
  lock = false,
): Promise<{ dataset: Dataset; plan: LaunchPlan }> {
  const { dataset, judgeProvider } = await readLaunch(db, request, lock);
  return { dataset, plan: planLaunch(dataset, request, judgeProvider) };
}

/** What a launch refers to. @throws WaymarkError when it is not there, or can't be launched on. */
export async function readLaunch(
  db: Queryable,
  { provider_id, dataset_id, judge }: LaunchRequest,
  lock = false,
): Promise<{ dataset: Dataset; judgeProvider: ProviderRef | undefined }> {
  await assertApiProvider(db, provider_id);
  const dataset = await loadDataset(db, dataset_id, lock);
  return { dataset, judgeProvider: await providerRef(db, judge?.provider_id) };
}

export async function launchIn(
  { store, queue, version, now }: LaunchContext,
  tx: Transaction,
  request: LaunchRequest,
  { triggeredBy, scheduleId }: LaunchCause,
): Promise<Launched> {
  const { dataset, plan } = await draftLaunch(tx, request, true);
  const { provider_id, model, params = {} } = request;
  const { id, name } = await getApiProvider(tx, provider_id);
  const provider = await callableProvider(tx, provider_id);
  const variant = modelVariant({ provider, model, params }, { id, name });
  const run = questionPlan({ dataset, items: plan.items, variant, version, now: now() });
  const { runId } = run;
  await insertRun(
    tx,
    run,
    {
      datasetId: dataset.id,
      providerId: provider_id,
      providerSurface: 'api',
      model,
      status: 'queued',
      launchAttempt: 1,
      triggeredBy,
      scheduleId: scheduleId ?? null,
      config: configOf(request),
      judgeProviderId: plan.judge?.provider_id ?? null,
      label: request.label ?? '',
      counts: { expected: plan.items.length, answered: 0, errored: 0, missing: 0 },
    },
    plan.items.map((item) => ({ caseId: item.id, trial: 1, state: 'pending' as const, snapshot: item })),
  );
  await appendRunLog(store, tx, runId, [
    {
      level: 'info',
      code: 'run_queued',
      message: `${plan.items.length} items wait to be asked of ${model}.`,
      data: { items: plan.items.length, model, triggered_by: triggeredBy },
    },
    ...plan.warnings.map(({ code, message, item_ids }) => ({
      level: 'warning' as const,
      code,
      message,
      data: item_ids ? { item_ids: item_ids.slice(0, 100) } : {},
    })),
  ]);
  await enqueueLaunch(queue, tx, runId, 1);
  return {
    run_id: runId,
    status: 'queued',
    items: plan.items.length,
    excluded: plan.excluded,
    warnings: plan.warnings,
  };
}

/** The database refuses a launch on a chat page too; here it is said in words. */
async function assertApiProvider(db: Queryable, id: string): Promise<void> {
  const provider = await providerRef(db, id);
  if (!provider) throw notFound('provider', id);
  if (provider.surface === 'api') return;
  throw new WaymarkError({
    code: 'provider_not_api',
    message:
      "This provider is a chat page that was captured in a browser: nothing can be launched on it, it can't be called.",
    hint: 'Choose an API provider, or capture the page with a pack.',
  });
}
