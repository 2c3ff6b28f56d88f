/** Everything about one episode, behind a line that names it. */
import path from 'node:path';
import { explain } from '../../contracts/index.ts';
import type { EpisodeResult } from '../../events/index.ts';
import type { TokenSummary } from '../../metrics/index.ts';
import {
  costText,
  type EpisodeView,
  gradedTask,
  hasFurtherGrades,
  markNames,
  tokenText,
  UNKNOWN,
} from '../../view/index.ts';
import { rewardBars, signed } from './charts.ts';
import { contractLines } from './contract-lines.ts';
import { filmstrip, framesOf } from './filmstrip.ts';
import { gradeList } from './graders.ts';
import { type Html, html } from './html.ts';
import { linkTo } from './link.ts';
import type { GrantedPictures } from './pictures.ts';
import { recoverySection } from './recovery.ts';
import { statusChip } from './status-chip.ts';
import { changeList, seconds, stepRow } from './step-row.ts';
import { teamSection } from './team.ts';

export interface EpisodePart {
  result: EpisodeResult;
  view: EpisodeView;
  /** Without steps, where the file would become too long. */
  isBrief: boolean;
  pictures: GrantedPictures;
}

export function scoresOf({ steps }: EpisodeView): number[] {
  return steps.flatMap(({ reward }) => (reward ? [reward.score] : []));
}

export function nameOf({ taskId, trial, attempt }: EpisodeResult): string {
  return `${taskId}${trial > 1 ? `, trial ${trial}` : ''}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

/** The id is on what is inside: following a link to it opens the details around it, without a script. */
export function episodeSection({ result, view, isBrief, pictures }: EpisodePart, id: string): Html {
  const task: { title?: unknown; goal?: unknown; startUrl?: unknown } = Object(view.start.task);
  const graded = gradedTask(result);
  return html`<details class="episode" data-passed="${String(result.success)}">
<summary><h2>${nameOf(result)}</h2> ${statusChip(result)}${result.falselyClaimed === true && html` <span class="chip bad">said done</span>`}${markNames(result).map((mark) => html` <span class="tag">${mark}</span>`)}${result.testModel === true && html` <span class="tag">test model</span>`}${result.recoverySearch && html` <span class="tag">recovery search</span>`} <span class="faint">${result.steps} ${result.steps === 1 ? 'step' : 'steps'}, ${seconds(result.durationMs)}</span></summary>
<article id="${id}" aria-label="${nameOf(result)}">
<p class="goal"><b>${String(task.title ?? '')}.</b> ${String(task.goal ?? '')}</p>
<p>${result.reason} <span class="faint">Outcome class: ${result.outcome}.</span></p>
${claimLine(result)}
${result.answer !== undefined && html`<p>The agent’s answer: <q>${result.answer}</q></p>`}
${result.warnings.length > 0 && html`<section class="warnings"><h3>Warnings</h3><ul>${result.warnings.map((warning) => html`<li>${warning}</li>`)}</ul></section>`}
<section><h3>Contract at the end: ${result.finalVerdict.replace('_', ' ')}</h3>${finalContract(result, view)}</section>
${hasFurtherGrades(graded) && html`<section><h3>Grades</h3>${gradeList(graded.grades, graded.decidedBy, path.dirname(result.artifacts.eventsJsonl))}</section>`}${view.timeline && teamSection(result, view.timeline, (seq) => `${id}-${seq}`)}
${result.recoverySearch && recoverySection(result.recoverySearch)}
<section><h3>Pictures</h3>${filmstrip(framesOf(view), pictures)}</section>
<section><h3>Reward</h3>${rewardBars(scoresOf(view))}${result.reward && html`<p class="faint">Sum ${signed(result.reward.sum)}, lowest ${signed(result.reward.min)}, last ${signed(result.reward.last)}.</p>`}</section>
<section><h3>Steps</h3>${isBrief ? html`<p class="faint">Left out to keep this file small; the journal has them: ${result.artifacts.eventsJsonl}</p>` : html`<ol class="steps">${view.steps.map((step) => stepRow(step, `${id}-${step.seq}`))}</ol>`}</section>
<section><h3>Numbers</h3>${numbers(result)}</section>
<section><h3>Provenance</h3>${provenance(result, view)}</section>
</article></details>`;
}

/** What the agent said of itself is no evidence: it stands beside what the contract says. */
function claimLine(result: EpisodeResult): Html | false {
  const { claimed, falselyClaimed, finalVerdict } = result;
  if (claimed === undefined) return false;
  const says = claimed === 'done' ? 'it is done' : 'it gave up';
  return html`<p${falselyClaimed === true && html` class="notice"`}>The agent says that ${says}; the contract says: ${finalVerdict.replace('_', ' ')}.</p>`;
}

function finalContract(result: EpisodeResult, { final }: EpisodeView): Html {
  const lines = final?.verdict?.lines ?? (result.failedContract ? explain(result.failedContract) : []);
  const changed =
    final && final.changes.length > 0 && html`<p>Since the last step:</p>${changeList(final.changes, '')}`;
  if (result.finalVerdict === 'not_judged') return html`<p>The contract was never judged.</p>`;
  return html`${contractLines(lines)}${changed}`;
}

function numbers(result: EpisodeResult): Html {
  const { wandering, recovery } = result;
  return table([
    ['Calls, of agent and harness', result.toolCalls],
    ['Errors of the tool server', result.openchromeErrors],
    [
      'First tool',
      `${result.firstTool ?? 'none'}${result.firstToolAsExpected === false ? ', not the expected one' : ''}`,
    ],
    ['Times without progress', result.noProgressEpisodes],
    ['Repeated loops', wandering.repeatedLoops],
    ...tokenRows(result),
    ...usageRows(result),
    ['Recovered after failures', `${recovery.recovered} of ${recovery.failures}`],
    [
      'Last call',
      result.lastToolCall
        ? `${result.lastToolCall.tool} ${JSON.stringify(result.lastToolCall.arguments).slice(0, 200)}`
        : 'none',
    ],
    ['Final URL', result.finalUrl || 'none'],
  ]);
}

/** Estimates: the model under test may count otherwise. */
function tokenRows({ tokens }: EpisodeResult): [string, string][] {
  if (tokens === undefined) return [];
  const row = ({ total, median, max, count }: TokenSummary, what: string): string =>
    count === 0 ? 'none' : `${total} in ${count} ${what} (median ${median}, most ${max})`;
  return [
    ['Tokens read (estimate)', row(tokens.perObservation, 'observations')],
    ['Tokens written (estimate)', row(tokens.perCall, 'calls')],
  ];
}

/** As the providers report them. */
function usageRows({ usage, roles = [] }: EpisodeResult): [string, string][] {
  if (!usage) return [];
  const times = roles.map(({ thinkingMs }) => thinkingMs).filter((ms) => ms !== null);
  const thinking = times.length === 0 ? UNKNOWN : seconds(times.reduce((sum, ms) => sum + ms, 0));
  const tools = seconds(roles.reduce((sum, { toolMs }) => sum + toolMs, 0));
  return [
    ['Calls of models', `${usage.calls} (${usage.models.join(', ')})`],
    ['Tokens used', `${tokenText(usage.inputTokens)} in, ${tokenText(usage.outputTokens)} out`],
    ['Cost', `${costText(usage.costUsd)}${usage.priceTable === undefined ? '' : ` by ${usage.priceTable}`}`],
    ['Time of models, of tools', `${thinking}, ${tools}`],
  ];
}

function resetText({ ok, unproved, findings }: NonNullable<EpisodeView['reset']>): string {
  if (unproved) return 'not proved, because the server has its own browser';
  return ok ? 'proved clean' : findings.join('; ');
}

function provenance(result: EpisodeResult, { start, reset }: EpisodeView): Html {
  const { hashes, environment, server, agent } = result;
  const task: { startUrl?: unknown } = Object(start.task);
  return table([
    ['Start', String(task.startUrl ?? '')],
    ['Reset', reset ? `${resetText(reset)}, ${Math.round(reset.durationMs)} ms` : 'none'],
    ['Task', hashes.task],
    ['Contract', hashes.contract],
    ['Scorer', hashes.scorer],
    ['Constants', hashes.constants],
    ['Agent', `${agent.kind}${agent.name === undefined ? '' : ` ${agent.name}`}`],
    ['Server', `${server.name} ${server.version ?? ''} (${server.transport}, isolation: ${server.isolation})`],
    ['Browser', environment.browser ? `${environment.browser.product} (${environment.browser.kind})` : 'none'],
    ['Waymark, Node, platform', `${environment.waymark}, ${environment.node}, ${environment.platform}`],
    ...links([
      ['Journal', result.artifacts.eventsJsonl],
      ['Messages', result.artifacts.messagesJsonl],
      ['Ledger of attempts', result.artifacts.ledgerJsonl],
      ['Metadata', result.artifacts.metadataJson],
    ]),
  ]);
}

/** Files beside the report; those that are there. */
function links(files: readonly (readonly [string, string | undefined])[]): [string, Html][] {
  return files.flatMap(([name, file]) =>
    file === undefined ? [] : [[name, html`<a href="${linkTo(file)}">${file}</a>`]],
  );
}

function table(rows: readonly (readonly [string, string | number | Html])[]): Html {
  return html`<table class="facts"><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`;
}
