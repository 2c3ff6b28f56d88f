/** What an import writes, before anything is written: the columns of its run, its attempts and its log. */
import { storableText } from '../../cases/index.ts';
import { questionJournal } from '../../events/index.ts';
import type { FinishedAttempt } from '../../runs/index.ts';
import type { RunLogLine } from '../../store/index.ts';
import type { ImportPlan } from '../archive/check-capture.ts';

export function importRows(plan: ImportPlan, now: Date, part = 1) {
  return {
    run: {
      datasetId: plan.dataset_id,
      providerSurface: 'browser' as const,
      model: plan.model_labels.length === 1 ? (plan.model_labels[0] ?? null) : null,
      status: 'completed' as const,
      triggeredBy: 'browser_harness' as const,
      config: configOf(plan),
      label: storableText(plan.label ?? ''),
      modelLabels: [...plan.model_labels],
      counts: { ...plan.counts },
      startedAt: new Date(plan.started_at),
      finishedAt: new Date(plan.finished_at),
      importedAt: now,
    },
    log: logOf(plan, part),
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

/** What was captured, as attempts that have ended. A missing item has none. */
export function* capturedAttempts(
  { target, items }: Pick<ImportPlan, 'target' | 'items'>,
  runId: string,
  numberOf: (id: string) => number = () => 1,
): Generator<FinishedAttempt, void, undefined> {
  const { preset, origin, display_name } = target;
  const source = { preset, origin, displayName: display_name };
  const agent = { kind: 'capture', name: display_name };
  for (const item of items) {
    if (item.status === 'missing' || !item.timing) continue;
    const { timing, error } = item;
    const attempt = { runId, caseId: item.id, trial: 1, attempt: numberOf(item.id) };
    const events = questionJournal(
      { attempt, agent, source, prompt: item.prompt_text },
      { answer: item.response, error, modelLabel: item.model_label, latencyMs: timing.latency_ms },
      { startedAt: Date.parse(timing.started_at), finishedAt: Date.parse(timing.finished_at) },
    );
    yield { attempt, events };
  }
}

function logOf({ counts, target, warnings }: ImportPlan, part: number): RunLogLine[] {
  const { expected, answered, errored, missing } = counts;
  const what = part === 1 ? 'A capture' : `Part ${part} of a capture`;
  const so = part === 1 ? '' : 'now ';
  return [
    {
      level: 'info',
      code: part === 1 ? 'run_imported' : 'run_part_imported',
      message: `${what} of ${target.display_name} (${target.origin}): ${so}${answered} of ${expected} items answered, ${errored} with errors, ${missing} missing.`,
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
