/** All episodes at a glance. What no episode has is no column. */
import { claimText, usedCost, usedTokens } from '../../view/index.ts';
import { rewardBars, signed } from './charts.ts';
import { type EpisodePart, nameOf, scoresOf } from './episode-section.ts';
import { type Html, html } from './html.ts';
import { statusChip } from './status-chip.ts';
import { seconds } from './step-row.ts';

interface Column {
  name: string;
  isNumber?: boolean;
  cell: (part: EpisodePart) => string | number | Html;
}

export function episodeTable(episodes: readonly EpisodePart[], idOf: (index: number) => string): Html {
  const columns = columnsFor(episodes);
  const heading = ({ name, isNumber }: Column): Html =>
    html`<th scope="col"${isNumber === true && html` class="num"`}>${name}</th>`;
  const cellOf =
    (part: EpisodePart) =>
    (column: Column): Html =>
      html`<td${column.isNumber === true && html` class="num"`}>${column.cell(part)}</td>`;
  return html`<div class="scroll" role="region" aria-label="Episodes" tabindex="0"><table class="episodes">
<thead><tr><th scope="col">Task</th>${columns.map(heading)}</tr></thead>
<tbody>${episodes.map(
    (part, index) =>
      html`<tr data-passed="${String(part.result.success)}"><th scope="row"><a href="#${idOf(index)}">${nameOf(part.result)}</a></th>${columns.map(cellOf(part))}</tr>
`,
  )}</tbody></table></div>`;
}

function columnsFor(episodes: readonly EpisodePart[]): Column[] {
  const hasClaims = episodes.some(({ result }) => result.claimed !== undefined);
  const hasUsage = episodes.some(({ result }) => result.usage !== undefined);
  return [
    { name: 'Status', cell: ({ result }) => statusChip(result) },
    { name: 'Outcome', cell: ({ result }) => result.outcome },
    ...(hasClaims ? [{ name: 'Agent says', cell: ({ result }: EpisodePart) => claimText(result) }] : []),
    { name: 'Steps', isNumber: true, cell: ({ result }) => result.steps },
    { name: 'Calls', isNumber: true, cell: ({ result }) => result.toolCalls },
    { name: 'Errors', isNumber: true, cell: ({ result }) => result.openchromeErrors },
    { name: 'Reward of each step', cell: ({ view }) => rewardBars(scoresOf(view)) },
    { name: 'Sum', isNumber: true, cell: ({ result }) => (result.reward ? signed(result.reward.sum) : '–') },
    ...(hasUsage
      ? [
          { name: 'Tokens', isNumber: true, cell: ({ result }: EpisodePart) => usedTokens(result.usage) },
          { name: 'Cost', isNumber: true, cell: ({ result }: EpisodePart) => usedCost(result.usage) },
        ]
      : []),
    { name: 'Time', isNumber: true, cell: ({ result }) => seconds(result.durationMs) },
  ];
}
