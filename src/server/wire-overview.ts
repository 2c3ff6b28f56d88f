/** The overview as the API shows it: accuracy with its interval and coverage beside it, a series per dataset, and a table of datasets and models. */
import { wilsonInterval } from '../metrics/index.ts';
import type { Overview, ScoredRun } from '../runs/index.ts';
import { wireRun } from './wire-names.ts';

export function wireOverview({ latest, failed, totals, trends, latestOfModels }: Overview) {
  return {
    latest: latest.map(wireRun),
    failed: failed.map(wireRun),
    totals: { runs: totals.runs, under_way: totals.underWay, datasets: totals.datasets },
    trends: [...Map.groupBy(trends, ({ datasetId }) => datasetId).values()].map((runs) => ({
      dataset: datasetOf(runs),
      points: runs.toReversed().map((one) => ({ ...wirePoint(one), ...modelOf(one) })),
    })),
    table: wireTable(latestOfModels),
  };
}

/** Datasets and models in the order of their newest run. */
function wireTable(latest: readonly ScoredRun[]) {
  const byModel = Map.groupBy(
    latest.toSorted((a, b) => b.createdAt - a.createdAt),
    modelKey,
  );
  const byDataset = Map.groupBy(latest, ({ datasetId }) => datasetId);
  return {
    models: [...byModel].flatMap(([key, [newest]]) => (newest ? [{ key, ...modelOf(newest) }] : [])),
    rows: [...byDataset.values()].map((runs) => ({
      dataset: datasetOf(runs),
      cells: runs.map((one) => ({ model_key: modelKey(one), runs: one.runs, ...wirePoint(one) })),
    })),
  };
}

const datasetOf = (runs: readonly ScoredRun[]) => ({ id: runs[0]?.datasetId ?? '', name: runs[0]?.datasetName ?? '' });

const modelKey = ({ providerId, model }: ScoredRun): string => `${providerId} ${model ?? ''}`;

const modelOf = ({ providerId, providerName, surface, model }: ScoredRun) => ({
  provider: { id: providerId, name: providerName, surface },
  model,
});

function wirePoint({ runId, label, isCurrent, itemCount, scored, passed, createdAt }: ScoredRun) {
  return {
    run_id: runId,
    label,
    is_current: isCurrent,
    total: itemCount,
    scored,
    passed,
    accuracy: scored === 0 ? null : passed / scored,
    coverage: itemCount === 0 ? null : scored / itemCount,
    interval: wilsonInterval(passed, scored),
    created_at: new Date(createdAt).toISOString(),
  };
}
