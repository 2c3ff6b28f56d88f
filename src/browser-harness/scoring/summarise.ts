/** A run in numbers: accuracy over the items that were scored, always with how many those are. */
import { type Interval, wilsonInterval } from '../../metrics/index.ts';
import type { ScoreVerdict } from '../checkers/check-result.ts';
import { isScored, latestScores, type ScoreRow } from './scores.ts';

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

export function summarise(
  items: readonly { readonly id: string; readonly section: string }[],
  rows: Iterable<ScoreRow>,
): RunSummary {
  const latest = latestScores(rows);
  const verdicts = { pass: 0, fail: 0, error: 0, skipped: 0, unscored: 0 };
  const bySection = new Map<string, string[]>();
  for (const { id, section } of items) {
    verdicts[latest.get(id)?.verdict ?? 'unscored']++;
    const ids = bySection.get(section);
    if (ids) ids.push(id);
    else bySection.set(section, [id]);
  }
  return {
    ...accuracyOf(
      items.map(({ id }) => id),
      latest,
    ),
    verdicts,
    sections: [...bySection].map(([section, ids]) => ({ section, ...accuracyOf(ids, latest) })),
  };
}

function accuracyOf(ids: readonly string[], latest: ReadonlyMap<string, ScoreRow>): Accuracy {
  const scored = ids.map((id) => latest.get(id)).filter(isScored);
  const passed = scored.filter(({ verdict }) => verdict === 'pass').length;
  const sum = scored.reduce((total, { value }) => total + value, 0);
  return {
    total: ids.length,
    scored: scored.length,
    coverage: ids.length === 0 ? null : scored.length / ids.length,
    passed,
    accuracy: scored.length === 0 ? null : passed / scored.length,
    interval: wilsonInterval(passed, scored.length),
    mean_value: scored.length === 0 ? null : sum / scored.length,
  };
}
