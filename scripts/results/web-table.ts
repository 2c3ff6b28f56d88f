/** The tables of `npm run results:web`: how many tasks each policy did, in all, by level and by kind, with 95 % intervals. */
import type { EpisodeResult } from '../../src/events/index.ts';
import { wilsonInterval } from '../../src/metrics/index.ts';

export interface PolicyResults {
  /** `scripted oracle`, `liar`. */
  readonly name: string;
  readonly results: readonly Pick<EpisodeResult, 'taskId' | 'success'>[];
}

/** Of each task: its level and its kind. */
export type TaskGroups = ReadonlyMap<string, { readonly level: string; readonly kind: string }>;

export function webTables(policies: readonly PolicyResults[], groups: TaskGroups): string {
  const valuesOf = (field: 'level' | 'kind'): string[] => [...new Set([...groups.values()].map((one) => one[field]))];
  const table = (field: 'level' | 'kind'): string => {
    const columns = valuesOf(field).sort();
    const cells = ({ name, results }: PolicyResults): string[] => [
      name,
      shareOf(results),
      ...columns.map((value) => shareOf(results.filter(({ taskId }) => groups.get(taskId)?.[field] === value))),
    ];
    const head = ['policy', 'all', ...columns];
    return [head, head.map(() => '---'), ...policies.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n');
  };
  return `${table('level')}\n\n${table('kind')}`;
}

/** @example shareOf([{ success: true }]) // => '1 of 1 (21 to 100 %)' */
function shareOf(results: readonly { readonly success: boolean }[]): string {
  const passed = results.filter(({ success }) => success).length;
  const { low, high } = wilsonInterval(passed, results.length);
  const percent = (share: number): string => (share * 100).toFixed(0);
  return `${passed} of ${results.length} (${percent(low)} to ${percent(high)} %)`;
}
