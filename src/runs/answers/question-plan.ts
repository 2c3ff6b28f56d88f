/** The plan of a run of questions: which cells, of which suite, against which variant. */
import { canonicalHash, type Dataset, type Item } from '../../cases/index.ts';
import type { RunPlan, Variant } from '../../events/index.ts';
import { newRunId } from '../run-id.ts';

export function questionPlan(
  dataset: Pick<Dataset, 'name' | 'version_hash'>,
  items: readonly Pick<Item, 'id'>[],
  variant: Variant,
  now: Date,
): RunPlan {
  const cells = items.map(({ id }) => ({ caseId: id, trial: 1 }));
  const of = {
    suite: dataset.version_hash,
    variant: canonicalHash(variant),
    cases: canonicalHash(cells.map(({ caseId }) => caseId)),
  };
  return {
    runId: newRunId(now),
    suite: { name: dataset.name, hash: dataset.version_hash },
    variant,
    trials: 1,
    cells,
    inputs: { hash: canonicalHash(of), of },
    createdAt: now.getTime(),
  };
}
