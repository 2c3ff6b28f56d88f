/** The two small drawings of a report. Each says in words what it shows. */
import type { Rate } from '../../metrics/index.ts';
import { type Html, html } from './html.ts';

const STEP = 6;
const HALF = 12;

/** A bar a step, above the line or below it; the scale is that of a reward, −1 to 1. */
export function rewardBars(scores: readonly number[]): Html {
  if (scores.length === 0) return html`<span class="none">none</span>`;
  const width = scores.length * STEP;
  const bars = scores.map((score, index) => {
    const height = Math.max(1, Math.round(Math.abs(score) * HALF * 10) / 10);
    const tone = score > 0 ? 'up' : score < 0 ? 'down' : 'flat';
    return html`<rect class="${tone}" x="${index * STEP + 1}" y="${score > 0 ? HALF - height : HALF}" width="${STEP - 2}" height="${height}"/>`;
  });
  const words = `Reward of each step: ${scores.map(signed).join(', ')}.`;
  return html`<svg class="bars" role="img" aria-label="${words}" width="${width}" height="${HALF * 2}" viewBox="0 0 ${width} ${HALF * 2}"><title>${words}</title><line class="zero" x1="0" x2="${width}" y1="${HALF}" y2="${HALF}"/>${bars}</svg>`;
}

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

export function signed(score: number): string {
  const text = (Math.round(score * 100) / 100).toString();
  return score < 0 ? text.replace('-', '−') : score > 0 ? `+${text}` : '0';
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
