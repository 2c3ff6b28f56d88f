/** Which attempts of a run are listed. */
import type { AttemptRow } from '../../../src/view/index.ts';

export interface RunFilter {
  text: string;
  status: string;
  outcome: string;
  tag: string;
  onlyDiffering: boolean;
  onlyNotPassed: boolean;
}

export const NO_FILTER: RunFilter = {
  text: '',
  status: '',
  outcome: '',
  tag: '',
  onlyDiffering: false,
  onlyNotPassed: false,
};

export function filtered(rows: readonly AttemptRow[], filter: RunFilter): readonly AttemptRow[] {
  const text = filter.text.trim().toLowerCase();
  if (Object.entries(filter).every(([name, value]) => value === NO_FILTER[name as keyof RunFilter])) return rows;
  return rows.filter(
    (row) =>
      (text === '' || row.caseId.toLowerCase().includes(text)) &&
      (filter.status === '' || row.status === filter.status) &&
      (filter.outcome === '' || row.outcome === filter.outcome) &&
      (filter.tag === '' || row.tags.includes(filter.tag)) &&
      (!filter.onlyDiffering || row.differs === true) &&
      (!filter.onlyNotPassed || row.tone !== 'good'),
  );
}

/** The values that there are, each once. */
export function valuesOf(rows: readonly AttemptRow[]) {
  const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();
  return {
    statuses: sorted(rows.map(({ status }) => status)),
    outcomes: sorted(rows.flatMap(({ outcome }) => outcome ?? [])),
    tags: sorted(rows.flatMap(({ tags }) => tags)),
    hasDiffering: rows.some(({ differs }) => differs),
  };
}
