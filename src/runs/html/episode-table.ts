/** All episodes at a glance. */
import { rewardBars, signed } from './charts.ts';
import { type EpisodePart, nameOf, scoresOf } from './episode-section.ts';
import { type Html, html } from './html.ts';
import { statusChip } from './status-chip.ts';
import { seconds } from './step-row.ts';

export function episodeTable(episodes: readonly EpisodePart[], idOf: (index: number) => string): Html {
  return html`<div class="scroll" role="region" aria-label="Episodes" tabindex="0"><table class="episodes">
<thead><tr><th scope="col">Task</th><th scope="col">Status</th><th scope="col">Outcome</th><th scope="col" class="num">Steps</th><th scope="col" class="num">Calls</th><th scope="col" class="num">Errors</th><th scope="col">Reward of each step</th><th scope="col" class="num">Sum</th><th scope="col" class="num">Time</th></tr></thead>
<tbody>${episodes.map(
    (
      { result, view },
      index,
    ) => html`<tr data-passed="${String(result.success)}"><th scope="row"><a href="#${idOf(index)}">${nameOf(result)}</a></th><td>${statusChip(result)}</td><td>${result.outcome}</td><td class="num">${result.steps}</td><td class="num">${result.toolCalls}</td><td class="num">${result.openchromeErrors}</td><td>${rewardBars(scoresOf(view))}</td><td class="num">${result.reward ? signed(result.reward.sum) : '–'}</td><td class="num">${seconds(result.durationMs)}</td></tr>
`,
  )}</tbody></table></div>`;
}
