/** The small drawing of a pass rate. It says in words what it shows. */
import type { Rate } from '../../metrics/index.ts';
import { type Html, html } from './html.ts';

/** The pass rate as a mark, its 95 % interval as a band. */
export function rateBar(title: string, about: string, rate: Rate): Html {
  const { low, high } = rate.interval;
  const x = (share: number): string => (share * 200).toFixed(1);
  const words =
    rate.rate === null
      ? `${title}: no episodes.`
      : `${title}: ${rate.passed} of ${rate.of} passed, ${percent(rate.rate)}; 95 % interval ${percent(low)} to ${percent(high)}.`;
  const marks =
    rate.rate !== null &&
    html`<rect class="band" x="${x(low)}" y="2" width="${x(high - low)}" height="10"/><rect class="mark" x="${(rate.rate * 197).toFixed(1)}" y="0" width="3" height="14"/>`;
  return html`<div class="rate"><h2>${title}</h2><p class="figure">${rate.rate === null ? '–' : percent(rate.rate)} <span>${rate.passed} of ${rate.of}</span></p><svg role="img" aria-label="${words}" viewBox="0 0 200 14" preserveAspectRatio="none"><title>${words}</title><rect class="track" x="0" y="5" width="200" height="4"/>${marks}</svg><p class="about">95 % interval ${percent(low)} – ${percent(high)}. ${about}</p></div>`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
