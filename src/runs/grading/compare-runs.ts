/** Two runs of the same dataset version, item by item, with the paired statistics of metrics/. */

import { WaymarkError } from '../../errors/index.ts';
import { type Comparison, comparePairs, type Random, resamplesFor } from '../../metrics/index.ts';
import { decidingGrades, type GradeRow, isScored } from './deciding-grades.ts';

export interface ComparedRun {
  readonly id: string;
  readonly dataset_id: string;
  readonly version_hash: string;
  readonly grades: readonly GradeRow[];
}

export interface ComparedItem {
  readonly id: string;
  readonly a: GradeRow | null;
  readonly b: GradeRow | null;
  /** `unpaired`: not scored in both, so it says nothing about the difference. */
  readonly change: 'both_pass' | 'both_fail' | 'only_a' | 'only_b' | 'unpaired';
}

export interface RunComparison {
  readonly items: readonly ComparedItem[];
  readonly counts: Readonly<Record<ComparedItem['change'], number>>;
  /** Of B against A. */
  readonly statistics: Comparison;
}

export function compareRuns(a: ComparedRun, b: ComparedRun, itemIds: readonly string[], random: Random): RunComparison {
  if (a.dataset_id !== b.dataset_id || a.version_hash !== b.version_hash) {
    throw new WaymarkError({
      code: 'runs_not_comparable',
      message: `The runs ${a.id} and ${b.id} are not of the same version of one dataset.`,
    });
  }
  const [ofA, ofB] = [decidingGrades(a.grades), decidingGrades(b.grades)];
  const counts = { both_pass: 0, both_fail: 0, only_a: 0, only_b: 0, unpaired: 0 };
  const items = itemIds.map((id): ComparedItem => {
    const [rowA, rowB] = [ofA.get(id), ofB.get(id)];
    const change = changeOf(rowA, rowB);
    counts[change]++;
    return { id, a: rowA ?? null, b: rowB ?? null, change };
  });
  const pairs = items
    .filter(({ change }) => change !== 'unpaired')
    .map(({ id, a, b }) => ({ task: id, a: a?.verdict === 'pass' ? 1 : 0, b: b?.verdict === 'pass' ? 1 : 0 }));
  // A server answers no other request meanwhile.
  const resamples = resamplesFor(pairs.length);
  return { items, counts, statistics: comparePairs(pairs, random, { resamples }) };
}

function changeOf(a: GradeRow | undefined, b: GradeRow | undefined): ComparedItem['change'] {
  if (!isScored(a) || !isScored(b)) return 'unpaired';
  if (a.verdict === b.verdict) return a.verdict === 'pass' ? 'both_pass' : 'both_fail';
  return a.verdict === 'pass' ? 'only_a' : 'only_b';
}
