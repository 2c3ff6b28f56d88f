/** The statistics of a run in `report.md`: over all cases, and by case where there are several trials. */
import type { RunStatistics } from '../metrics/index.ts';
import { CASE_COLUMNS, caseRows, statisticsSentences } from '../view/index.ts';
import { cell } from './markdown-cell.ts';

export function statisticsOf(statistics: RunStatistics): string {
  const rows = caseRows(statistics);
  const lines = statisticsSentences(statistics, cell).map((line) => `- ${line}\n`);
  return `## Statistics\n\n${lines.join('')}\n${rows.length > 0 ? tableOf(rows) : ''}`;
}

function tableOf(rows: ReturnType<typeof caseRows>): string {
  const lines = rows.map(({ caseId, cells }) => `| ${[cell(caseId), ...cells].join(' | ')} |\n`);
  return `| case | ${CASE_COLUMNS.join(' | ')} |\n|---${'|---'.repeat(CASE_COLUMNS.length)}|\n${lines.join('')}\n`;
}
