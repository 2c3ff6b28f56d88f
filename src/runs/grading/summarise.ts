/** A run in numbers: accuracy over the items that were scored, always with how many those are. */

import type { ScoreVerdict } from '../../graders/index.ts';
import { type Interval, wilsonInterval } from '../../metrics/index.ts';
import { decidingGrades, type GradeRow } from './deciding-grades.ts';

export interface Accuracy {
  readonly total: number;
  readonly scored: number;
  /** scored / total; null where there are no items. */
  readonly coverage: number | null;
  readonly passed: number;
  /** passed / scored; null where nothing was scored. */
  readonly accuracy: number | null;
  /** Wilson, 95 %. */
  readonly interval: Interval;
  /** Mean of the values: partly right sets count in part. */
  readonly mean_value: number | null;
}

export interface RunSummary extends Accuracy {
  readonly verdicts: Readonly<Record<ScoreVerdict | 'unscored', number>>;
  readonly sections: readonly (Accuracy & { readonly section: string })[];
}

/** Items of one section whose deciding grade has the same verdict; null: no score yet. */
export interface GradeGroup {
  readonly section: string;
  readonly verdict: ScoreVerdict | null;
  readonly items: number;
  /** Sum of their values. */
  readonly value: number;
}

export function summarise(
  items: readonly { readonly id: string; readonly section: string }[],
  rows: Iterable<GradeRow>,
): RunSummary {
  const deciding = decidingGrades(rows);
  return summariseGroups(
    items.map(({ id, section }) => {
      const score = deciding.get(id);
      return { section, verdict: score?.verdict ?? null, items: 1, value: score?.score ?? 0 };
    }),
  );
}

export function summariseGroups(groups: readonly GradeGroup[]): RunSummary {
  const verdicts = { pass: 0, fail: 0, error: 0, skipped: 0, unscored: 0 };
  for (const { verdict, items } of groups) verdicts[verdict ?? 'unscored'] += items;
  const bySection = Map.groupBy(groups, ({ section }) => section);
  return {
    ...accuracyOf(groups),
    verdicts,
    sections: [...bySection].map(([section, own]) => ({ section, ...accuracyOf(own) })),
  };
}

/** Only pass and fail say something about the answers. */
function accuracyOf(groups: readonly GradeGroup[]): Accuracy {
  const count = (those: readonly GradeGroup[]) => those.reduce((sum, { items }) => sum + items, 0);
  const isScored = ({ verdict }: GradeGroup) => verdict === 'pass' || verdict === 'fail';
  const total = count(groups);
  const scored = count(groups.filter(isScored));
  const passed = count(groups.filter(({ verdict }) => verdict === 'pass'));
  const value = groups.filter(isScored).reduce((sum, group) => sum + group.value, 0);
  return {
    total,
    scored,
    coverage: total === 0 ? null : scored / total,
    passed,
    accuracy: scored === 0 ? null : passed / scored,
    interval: wilsonInterval(passed, scored),
    mean_value: scored === 0 ? null : value / scored,
  };
}
