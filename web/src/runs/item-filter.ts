/** Which items of a run are shown. */
import type { RunItem, Score } from '../api/queries.ts';
import type { RunSearch } from './run-search.ts';

export type Verdict = Score['verdict'] | 'unscored';

/** Of the latest attempt: the last one counts. */
export function verdictOf({ scores }: Pick<RunItem, 'scores'>): Verdict {
  return scores.at(-1)?.verdict ?? 'unscored';
}

export function filterItems(items: readonly RunItem[], { status, verdict, section, text }: RunSearch): RunItem[] {
  const wanted = text?.toLowerCase();
  return items.filter(
    (item) =>
      (status === undefined || item.status === status) &&
      (verdict === undefined || verdictOf(item) === verdict) &&
      (section === undefined || item.section === section) &&
      (wanted === undefined ||
        [item.id, item.prompt_text, item.response ?? ''].some((part) => part.toLowerCase().includes(wanted))),
  );
}
