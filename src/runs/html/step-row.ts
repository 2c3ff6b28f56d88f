/** One step: a line that tells the whole of it, and the details behind it. */

import { MAIN_LANE } from '../../events/index.ts';
import type { Change, Clipped, StepView } from '../../view/index.ts';
import { signed } from './charts.ts';
import { contractLines, verdictMark } from './contract-lines.ts';
import { type Html, html } from './html.ts';

const CHANGES_IN_LINE = 4;

export function stepRow(step: StepView, id: string): Html {
  const { result, look, reward } = step;
  const failed = result?.isError === true;
  return html`<li><details class="step${failed && ' failed'}">
<summary><span class="n">${step.step > 0 ? step.step : '·'}</span> <code>${step.tool}</code> <span class="brief">${step.brief}</span> <span class="tags">${step.lane !== MAIN_LANE && html`<span class="tag lane">${step.lane}</span>`}${step.by === 'harness' && html`<span class="tag">harness</span>`}${step.isRecovered && html`<span class="tag">instead of the agent’s call</span>`}${step.isLook && html`<span class="tag">look</span>`}${failed && html`<span class="tag bad">error${result?.errorKind && `: ${result.errorKind}`}</span>`}${!result && html`<span class="tag bad">no answer</span>`}${tagsOf(look?.changes ?? [])}${look?.verdict && verdictMark(look.verdict.verdict)}${reward && html`<span class="score ${reward.score > 0 ? 'up' : reward.score < 0 ? 'down' : 'flat'}" title="reward">${signed(reward.score)}</span>`}</span></summary>
<div class="body" id="${id}">
<section><h4>Call <span class="faint">at ${seconds(step.at)}, event ${step.seq}</span></h4>${block(step.arguments)}</section>
<section><h4>${failed ? 'Result: an error' : 'Result'}${result && html` <span class="faint">after ${Math.round(result.durationMs)} ms</span>`}</h4>${result ? block(result.text) : html`<p>The call was never answered.</p>`}</section>
<section><h4>What changed</h4>${changeList(look?.changes ?? [], look ? 'Nothing that the witness could see.' : 'The page was not looked at.')}${step.aside.length > 0 && html`<p>Afterwards, by itself:</p>${changeList(step.aside, '')}`}</section>
${look?.verdict && html`<section><h4>Contract</h4>${look.verdict.isRepeated ? html`<p>${verdictMark(look.verdict.verdict)} As before.</p>` : contractLines(look.verdict.lines)}</section>`}
${reward && html`<section><h4>Reward ${signed(reward.score)} <span class="faint">${reward.classification}, confidence ${reward.confidence}${step.progress && `, the server says ${step.progress}`}</span></h4><ul class="reasons">${reward.reasons.map(({ signal, weight, evidence }) => html`<li><b>${signed(weight)}</b> ${signal} <span class="faint">${evidence}</span></li>`)}</ul></section>`}
${step.notes.length > 0 && html`<section><h4>Notes</h4><ul>${step.notes.map((note) => html`<li>${note}</li>`)}</ul></section>`}
</div></details></li>`;
}

export function changeList(changes: readonly Change[], otherwise: string): Html {
  if (changes.length === 0) return html`<p>${otherwise}</p>`;
  return html`<ul class="changes">${changes.map(
    ({ sentence, entries = [], isBad }) =>
      html`<li${isBad === true && html` class="bad"`}>${sentence}${entries.length > 0 && html`<ul>${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`}</li>`,
  )}</ul>`;
}

function tagsOf(changes: readonly Change[]): Html[] {
  const shown = changes
    .slice(0, CHANGES_IN_LINE)
    .map(({ tag, isBad }) => html`<span class="tag${isBad === true && ' bad'}">${tag}</span>`);
  const more = changes.length - shown.length;
  return more > 0 ? [...shown, html`<span class="tag">+${more}</span>`] : shown;
}

function block({ text, length, isCut }: Clipped): Html {
  const cut =
    isCut && html`<p class="faint">The first ${text.length} of ${length} characters; the journal has more.</p>`;
  return text === '' ? html`<p class="faint">Nothing.</p>` : html`<pre tabindex="0">${text}</pre>${cut}`;
}

export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
}
