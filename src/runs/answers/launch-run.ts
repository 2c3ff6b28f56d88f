/** A dataset, a provider and a model become a queued run with all its items, in one transaction with the job that asks them. */

import type { Dataset } from '../../cases/index.ts';
import type { Warning } from '../../errors/index.ts';
import { notFound, StoreRefusal } from '../../errors/index.ts';
import {
  appendRunLog,
  inChunks,
  loadDataset,
  providerRef,
  type Queryable,
  type Queue,
  type Store,
  schema,
  type Transaction,
} from '../../store/index.ts';
import { enqueueLaunch } from './enqueue-launch.ts';
import { configOf, type LaunchRequest } from './launch-request.ts';
import { type LaunchPlan, planLaunch } from './plan-launch.ts';
import type { Excluded } from './select-items.ts';

const { run, runItem } = schema;

export interface LaunchContext {
  store: Store;
  queue: Queue;
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

export async function launchRun(desk: LaunchContext, request: LaunchRequest): Promise<Launched> {
  return await desk.store.db.transaction((tx) => launchIn(desk, tx, request, { triggeredBy: 'manual' }));
}

/** As it would be launched, without a row. */
export async function draftLaunch(
  db: Queryable,
  request: LaunchRequest,
  lock = false,
): Promise<{ dataset: Dataset; plan: LaunchPlan }> {
  await assertApiProvider(db, request.provider_id);
  const dataset = await loadDataset(db, request.dataset_id, lock);
  return { dataset, plan: planLaunch(dataset, request, await providerRef(db, request.judge?.provider_id)) };
}

export async function launchIn(
  { store, queue, now }: LaunchContext,
  tx: Transaction,
  request: LaunchRequest,
  { triggeredBy, scheduleId }: LaunchCause,
): Promise<Launched> {
  const { dataset, plan } = await draftLaunch(tx, request, true);
  const [made] = await tx
    .insert(run)
    .values({
      datasetId: dataset.id,
      datasetVersionHash: dataset.version_hash,
      providerId: request.provider_id,
      providerSurface: 'api',
      model: request.model,
      status: 'queued',
      launchAttempt: 1,
      triggeredBy,
      scheduleId: scheduleId ?? null,
      config: configOf(request),
      judgeProviderId: plan.judge?.provider_id ?? null,
      label: request.label ?? '',
      itemCount: plan.items.length,
      counts: { expected: plan.items.length, answered: 0, errored: 0, missing: 0 },
      createdAt: now(),
    })
    .returning({ id: run.id });
  if (!made) throw new Error('the run was not written');
  const rows = plan.items.map((item, index) => ({
    runId: made.id,
    datasetItemId: item.id,
    seq: index + 1,
    status: 'pending' as const,
    promptText: item.prompt_text,
    item: { ...item },
  }));
  for (const chunk of inChunks(rows)) await tx.insert(runItem).values(chunk);
  await appendRunLog(store, tx, made.id, [
    {
      level: 'info',
      code: 'run_queued',
      message: `${rows.length} items wait to be asked of ${request.model}.`,
      data: { items: rows.length, model: request.model, triggered_by: triggeredBy },
    },
    ...plan.warnings.map(({ code, message, item_ids }) => ({
      level: 'warning' as const,
      code,
      message,
      data: item_ids ? { item_ids: item_ids.slice(0, 100) } : {},
    })),
  ]);
  await enqueueLaunch(queue, tx, made.id, 1);
  return { run_id: made.id, status: 'queued', items: rows.length, excluded: plan.excluded, warnings: plan.warnings };
}

/** The database refuses a launch on a chat page too; here it is said in words. */
async function assertApiProvider(db: Queryable, id: string): Promise<void> {
  const provider = await providerRef(db, id);
  if (!provider) throw notFound('provider', id);
  if (provider.surface === 'api') return;
  throw new StoreRefusal(
    422,
    'provider_not_api',
    "This provider is a chat page that was captured in a browser: nothing can be launched on it, it can't be called.",
    'Choose an API provider, or capture the page with a pack.',
  );
}
