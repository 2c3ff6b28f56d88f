/** A plan of an import as rows, before anything is written. */

import type { Item } from '../../cases/index.ts';
import { storableText } from '../../cases/index.ts';
import type { RunLogLine } from '../../store/index.ts';
import type { ImportPlan } from '../archive/check-capture.ts';
import type { PlannedItem } from '../archive/plan-item.ts';

export function importRows(plan: ImportPlan, items: readonly Item[], now: Date) {
  const byId = new Map(items.map((item) => [item.id, item]));
  return {
    run: {
      datasetId: plan.dataset_id,
      datasetVersionHash: plan.version_hash,
      providerSurface: 'browser' as const,
      model: plan.model_labels.length === 1 ? (plan.model_labels[0] ?? null) : null,
      status: 'completed' as const,
      triggeredBy: 'browser_harness' as const,
      config: configOf(plan),
      label: storableText(plan.label ?? ''),
      modelLabels: [...plan.model_labels],
      itemCount: plan.items.length,
      counts: { ...plan.counts },
      startedAt: new Date(plan.started_at),
      finishedAt: new Date(plan.finished_at),
      importedAt: now,
      createdAt: now,
    },
    items: plan.items.map((planned) => itemRow(planned, byId.get(planned.id))),
    log: logOf(plan),
    meta: {
      target: plan.target,
      session: { started_at: plan.started_at, finished_at: plan.finished_at },
      exported_at: plan.exported_at,
      runtime_revision: plan.runtime_revision,
      preset_revision: plan.preset_revision,
      flags: Object.fromEntries(plan.items.flatMap(({ id, flag }) => (flag === null ? [] : [[id, flag]]))),
    },
  };
}

function configOf({ judge }: ImportPlan): Record<string, unknown> {
  return {
    variation: { enabled: false, per_item: 0, strategies: [] },
    judge: judge && { ...judge, source: 'browser_harness' },
  };
}

function itemRow(planned: PlannedItem, item: Item | undefined) {
  if (!item) throw new Error(`the plan has an item that the dataset has not: ${planned.id}`);
  const { timing, error } = planned;
  return {
    datasetItemId: planned.id,
    seq: planned.seq,
    status: planned.status,
    promptText: planned.prompt_text,
    response: planned.response,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    modelLabel: planned.model_label,
    startedAt: timing && new Date(timing.started_at),
    finishedAt: timing && new Date(timing.finished_at),
    latencyMs: timing && Math.round(timing.latency_ms),
    item: { ...item },
  };
}

function logOf({ counts, target, warnings }: ImportPlan): RunLogLine[] {
  const { expected, answered, errored, missing } = counts;
  return [
    {
      level: 'info',
      code: 'run_imported',
      message: `A capture of ${target.display_name} (${target.origin}): ${answered} of ${expected} items answered, ${errored} with errors, ${missing} missing.`,
      data: { ...counts },
    },
    ...warnings.map(({ code, message, item_ids }) => ({
      level: 'warning' as const,
      code,
      message,
      data: item_ids ? { item_ids: item_ids.slice(0, 100) } : {},
    })),
  ];
}
