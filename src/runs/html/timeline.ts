/** The timeline of an attempt: one row per lane. It is drawn without a style attribute, which the page's own policy forbids. */
import type { Timeline, TimelineRow } from '../../view/index.ts';
import { type Html, html } from './html.ts';
import { seconds } from './step-row.ts';

/** Units of a row; the drawing is stretched to the width of the page. */
const WIDTH = 1000;
const HEIGHT = 24;
/** A bar that is shorter would not be seen. */
const LEAST = 1.5;
const TICKS = 4;

/** `idOf` names the place of a step on the page. */
export function timelinePicture({ durationMs, rows, leftOut }: Timeline, idOf: (seq: number) => string): Html {
  if (rows.length === 0 || durationMs <= 0) return html``;
  const x = (ms: number): string => ((ms / durationMs) * WIDTH).toFixed(1);
  const width = (from: number, to: number): string => Math.max(LEAST, ((to - from) / durationMs) * WIDTH).toFixed(1);
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => (durationMs * index) / TICKS);
  const grid = ticks.map((ms) => html`<line class="grid" x1="${x(ms)}" x2="${x(ms)}" y1="0" y2="${HEIGHT}"/>`);
  const row = ({ role, executorId = role, spans, delegations }: TimelineRow): Html => {
    const asked = delegations.map(
      ({ startedAt, endedAt, instruction, status }) =>
        html`<rect class="asked ${status}" x="${x(startedAt)}" y="1" width="${width(startedAt, endedAt)}" height="${HEIGHT - 2}"><title>${seconds(startedAt)} to ${seconds(endedAt)}, ${status}: ${instruction}</title></rect>`,
    );
    const bars = spans.map(({ kind, from, to, label, isError, seq }) => {
      const bar = html`<rect class="${kind}${isError === true && ' failed'}" x="${x(from)}" y="${kind === 'call' ? 6 : 9}" width="${width(from, to)}" height="${kind === 'call' ? 12 : 6}"><title>${label}, ${seconds(from)} to ${seconds(to)}${isError === true && ', an error'}</title></rect>`;
      return seq === undefined ? bar : html`<a href="#${idOf(seq)}" tabindex="-1">${bar}</a>`;
    });
    const words = `${executorId}: ${spans.filter(({ kind }) => kind === 'call').length} calls, ${delegations.length} delegations.`;
    return html`<div class="lane-row"><span class="lane-name">${executorId}</span><svg role="img" aria-label="${words}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"><title>${words}</title>${grid}${asked}${bars}</svg></div>`;
  };
  return html`<div class="timeline">${rows.map(row)}<div class="lane-row axis" aria-hidden="true"><span class="lane-name"></span><span class="ticks">${ticks.map((ms) => html`<span>${seconds(ms)}</span>`)}</span></div>
<p class="legend faint"><span class="key thinking"></span> model thinks <span class="key call"></span> tool works <span class="key call failed"></span> with an error${rows.some(({ delegations }) => delegations.length > 0) && html` <span class="key asked"></span> delegated`}${leftOut > 0 && html` · ${leftOut} later bars are left out`}</p></div>`;
}
