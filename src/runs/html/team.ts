/** Who did what: the timeline, a table of roles, and the delegations with what came of them. */
import { type EpisodeResult, isTestModel, type RoleMetrics } from '../../events/index.ts';
import { type Timeline, tokenText, UNKNOWN, usedCost } from '../../view/index.ts';
import { signed } from './charts.ts';
import { captionOf } from './filmstrip.ts';
import { type Html, html } from './html.ts';
import { seconds } from './step-row.ts';
import { timelinePicture } from './timeline.ts';

export function teamSection(
  { roles, delegations = [], failureOrigin }: EpisodeResult,
  timeline: Timeline,
  idOf: (seq: number) => string,
): Html | false {
  if (!roles) return false;
  const where = { plan: 'in the plan', execution: 'in the execution', hand_off: 'at a hand-off' };
  return html`<section><h3>Who did what</h3>
${failureOrigin && html`<p class="notice">The failure arose ${where[failureOrigin.where]}. ${failureOrigin.reason}</p>`}
${timelinePicture(timeline, idOf)}
<div class="scroll" role="region" aria-label="Roles" tabindex="0"><table class="episodes">
<thead><tr><th scope="col">Role</th><th scope="col">Model</th>${['Turns', 'Steps', 'Errors', 'Reward', 'Tokens in / out', 'Cost', 'Thinking', 'Tools'].map((name) => html`<th scope="col" class="num">${name}</th>`)}</tr></thead>
<tbody>${roles.map(roleRow)}</tbody></table></div>
${delegations.length > 0 && html`<h4>Delegations</h4><ol class="delegations">${delegations.map((one) => delegationItem(one))}</ol>`}
</section>`;
}

function roleRow({ role, executorId = role, usage, ...row }: RoleMetrics): Html {
  const models = usage?.models.map(
    (name) => html`${name}${isTestModel(name) && html` <span class="tag">test model</span>`} `,
  );
  const cells = [
    row.turns,
    row.steps,
    row.errors,
    row.reward === null ? '–' : signed(row.reward),
    usage ? `${tokenText(usage.inputTokens)} / ${tokenText(usage.outputTokens)}` : '–',
    usedCost(usage),
    row.thinkingMs === null ? (usage ? UNKNOWN : '–') : seconds(row.thinkingMs),
    seconds(row.toolMs),
  ];
  return html`<tr><th scope="row">${executorId}</th><td>${models ?? '–'}</td>${cells.map((cell) => html`<td class="num">${cell}</td>`)}</tr>`;
}

function delegationItem(one: NonNullable<EpisodeResult['delegations']>[number]): Html {
  const { executorId, status, steps, startedAt, endedAt, reward } = one;
  const tone = status === 'done' ? 'good' : status === 'aborted' ? 'fault' : 'bad';
  const taken = steps.length === 0 ? 'no steps' : captionOf(steps.map(String));
  return html`<li><b>${executorId}</b> <span class="chip ${tone}">${status}</span> <span class="faint">${taken}${one.maxSteps !== undefined && ` of at most ${one.maxSteps}`}, ${seconds(startedAt)} to ${seconds(endedAt)}${reward !== null && `, reward ${signed(reward)}`}</span><p>${one.instruction}</p><p class="said">${one.summary}</p></li>`;
}
