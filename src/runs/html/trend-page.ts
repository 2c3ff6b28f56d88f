/** Pass rates over time as one file: a chart and a table. */
import type { TrendRow } from '../../metrics/index.ts';
import { trendTable } from '../../view/index.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import { htmlDocument } from './document.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

const WIDTH = 800;
const HEIGHT = 200;
const EDGE = 40;

export function trendPage(rows: readonly TrendRow[]): string {
  const style = `${STYLE}${COMPARISON_STYLE}`;
  const { columns, rows: cells, note } = trendTable(rows);
  return htmlDocument({
    title: `Pass rates of ${rows.length} runs`,
    style,
    body: html`<header><h1>Pass rates over time</h1><p class="about">Of what the agent decided, with Wilson’s 95 % interval. One point per run, oldest first.</p></header>
<main>
${chart(rows)}
${note !== undefined && html`<p class="notice" role="note">${note}</p>`}
<div class="scroll"><table class="compared"><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${cells.map(([name, ...rest]) => html`<tr><th scope="row">${name}</th>${rest.map((text) => html`<td>${text}</td>`)}</tr>`)}</tbody></table></div>
</main>`,
  });
}

/** Runs without a rate leave a gap. */
function chart(rows: readonly TrendRow[]): Html {
  const x = (index: number): number => Math.round(EDGE + (index * (WIDTH - 2 * EDGE)) / Math.max(1, rows.length - 1));
  const y = (share: number): number => Math.round(10 + (1 - share) * (HEIGHT - 20));
  const points = rows.flatMap(({ validOnly: { rate, interval } }, index) =>
    rate === null ? [] : [{ at: x(index), rate, ...interval }],
  );
  const words = `Pass rates: ${points.map(({ rate }) => `${Math.round(rate * 100)} %`).join(', ') || 'none'}.`;
  return html`<svg class="trend" role="img" aria-label="${words}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title>${words}</title>${[0, 0.5, 1].map((share) => html`<line class="grid" x1="${EDGE}" x2="${WIDTH - EDGE}" y1="${y(share)}" y2="${y(share)}"/><text x="2" y="${y(share) + 4}">${share * 100} %</text>`)}${points.map(({ at, low, high }) => html`<line class="range" x1="${at}" x2="${at}" y1="${y(low)}" y2="${y(high)}"/>`)}<polyline class="path" points="${points.map(({ at, rate }) => `${at},${y(rate)}`).join(' ')}"/>${points.map(({ at, rate }) => html`<circle class="point" cx="${at}" cy="${y(rate)}" r="4"/>`)}</svg>`;
}
