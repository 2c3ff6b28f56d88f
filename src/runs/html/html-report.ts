/** `report.html`: the whole run in one file that needs no network, no script and no server. */
import path from 'node:path';
import { someOf } from '../../errors/index.ts';
import { gradedTask } from '../../view/index.ts';
import { RECOVERY_NOTE, type ReportHead, type RunSummary, TEST_MODEL_NOTE } from '../report.ts';
import { unfinishedText } from '../run-coverage.ts';
import type { RunWarning } from '../run-warnings.ts';
import { rateBar } from './charts.ts';
import { htmlDocument } from './document.ts';
import { type EpisodePart, episodeSection, nameOf } from './episode-section.ts';
import { episodeTable } from './episode-table.ts';
import { framesOf } from './filmstrip.ts';
import { gradersSection } from './graders.ts';
import { GRADERS_STYLE } from './graders-style.ts';
import { type Html, html } from './html.ts';
import { linkTo } from './link.ts';
import { grantPictures } from './pictures.ts';
import { SCRIPT } from './script.ts';
import type { ShownEpisode } from './shown-episodes.ts';
import { STYLE } from './style.ts';

export interface HtmlInput {
  report: ReportHead;
  /** In the order of the plan. */
  episodes: readonly ShownEpisode[];
  /** Episodes that are not in the file, because there are too many. */
  leftOut: number;
  /** The run's folder: pictures are read from it. */
  root: string;
  /** Episodes that could not be begun, in words. */
  notBegun: readonly string[];
  /** Folders of attempts that do not count. */
  earlier?: readonly string[];
  warnings?: readonly RunWarning[];
}

export function htmlReport({
  report,
  episodes,
  leftOut,
  root,
  notBegun,
  earlier = [],
  warnings = [],
}: HtmlInput): string {
  const parts = partsOf(episodes, root);
  const idOf = (index: number): string => `e${index + 1}`;
  const { graders } = report.summary;
  const style = graders ? `${STYLE}${GRADERS_STYLE}` : STYLE;
  const graded = parts.map(({ result }, index) => ({
    name: nameOf(result),
    href: `#${idOf(index)}`,
    attempt: gradedTask(result),
  }));
  return htmlDocument({
    title: `${report.summary.passed} of ${report.summary.planned} passed: run ${report.runId}`,
    style,
    script: SCRIPT,
    body: html`${headerOf(report, notBegun, earlier, warnings)}
<main>
${graders && gradersSection(graders, graded)}<div class="tools"><label><input type="checkbox" id="only"> only what did not pass</label><button type="button" data-all="open" hidden>Open all</button><button type="button" data-all="close" hidden>Close all</button><span id="keys" class="faint" hidden><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>Esc</kbd> close</span></div>
${episodeTable(parts, idOf)}
${leftOut > 0 && html`<p class="notice" role="note">${leftOut} of ${leftOut + parts.length} episodes are not in this file, because a browser could not open it; those that did not pass come first. report.md lists all of them.</p>`}
${withoutPictures(parts)}
${parts.map((part, index) => episodeSection(part, idOf(index)))}
</main>`,
  });
}

function partsOf(episodes: HtmlInput['episodes'], root: string): EpisodePart[] {
  const pictures = grantPictures(
    episodes.map(({ result, view, folder }) => ({
      folder: path.join(root, folder),
      success: result.success,
      files: framesOf(view).map(({ file }) => file),
    })),
  );
  return episodes.map(({ result, view, isBrief }, index) => ({
    result,
    view,
    isBrief,
    pictures: pictures[index] ?? { uris: new Map(), leftOut: 0 },
  }));
}

function warningList(warnings: readonly RunWarning[]): Html {
  return html`<details class="notice"><summary>${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}</summary><ul>${warnings.map(({ text, taskIds }) => html`<li>${text} <span class="faint">(${someOf(taskIds)})</span></li>`)}</ul></details>`;
}

function quarantineList(tasks: NonNullable<RunSummary['quarantined']>): Html {
  return html`<details class="notice"><summary>${tasks.length} ${tasks.length === 1 ? 'task is' : 'tasks are'} quarantined, and counted apart</summary><ul>${tasks.map(({ taskId, reason, until, finished, passed }) => html`<li>${taskId}, until ${until}: ${reason} <span class="faint">(${passed} of ${finished} passed)</span></li>`)}</ul></details>`;
}

function headerOf(
  { runId, startedAt, agent, server, browser, summary, testModel, recoverySearch }: ReportHead,
  notBegun: readonly string[],
  earlier: readonly string[],
  warnings: readonly RunWarning[],
): Html {
  const left = unfinishedText(summary);
  const outcomes = Object.entries(summary.outcomes).map(([name, count]) => html`<li><b>${count}</b> ${name}</li>`);
  const begun = html`<p class="notice" role="note">${notBegun.length} ${notBegun.length === 1 ? 'episode' : 'episodes'} could not be begun, through no fault of the agent: ${notBegun.slice(0, 3).join(' · ')}${notBegun.length > 3 && ' · …'}</p>`;
  const anew = html`<p class="notice" role="note">${earlier.length} ${earlier.length === 1 ? 'attempt was' : 'attempts were'} cut off or ended by a fault, and made again; kept in ${earlier.slice(0, 3).map((folder, index) => html`${index > 0 && ', '}<a href="${linkTo(folder)}">${folder}</a>`)}${earlier.length > 3 && ', …'}.</p>`;
  return html`<header>
<h1>Run ${runId}</h1>
<p>Agent <b>${agent}</b> on server <b>${server.name} ${server.version}</b> <span class="faint">(${server.transport}, isolation: ${server.isolation})</span> in <b>${browser.product || 'no browser'}</b> <span class="faint">(${browser.kind})</span>, <time datetime="${startedAt}">${startedAt.replace('T', ' ').slice(0, 16)} UTC</time>.</p>
${testModel === true && html`<p class="notice" role="note">${TEST_MODEL_NOTE}</p>`}
${recoverySearch === true && html`<p class="notice" role="note">${RECOVERY_NOTE}</p>`}
<div class="rates">${rateBar('Pass rate, strict', 'Everything that was planned counts.', summary.strict)}${rateBar('Pass rate, valid only', 'Faults of harness, server and browser left out.', summary.validOnly)}</div>
<ul class="outcomes" aria-label="Outcome classes">${outcomes}${summary.falselyClaimed !== undefined && html`<li><b>${summary.falselyClaimed}</b> said done, but failed</li>`}${summary.held_at_start !== undefined && html`<li><b>${summary.held_at_start}</b> held at the start</li>`}</ul>
${left !== undefined && html`<p class="notice" role="note">${left}. What has not finished counts as not passed in the strict rate.</p>`}
${summary.quarantined && quarantineList(summary.quarantined)}
${notBegun.length > 0 && begun}
${earlier.length > 0 && anew}
${warnings.length > 0 && warningList(warnings)}
</header>`;
}

function withoutPictures(parts: readonly EpisodePart[]): Html | false {
  const bare = parts.filter(({ pictures }) => pictures.uris.size === 0 && pictures.leftOut > 0).length;
  const brief = parts.filter(({ isBrief }) => isBrief).length;
  return (
    bare + brief > 0 &&
    html`<p class="notice" role="note">To keep this file small, ${bare} of ${parts.length} episodes are shown without pictures${brief > 0 && ` and ${brief} without their steps`}; those that did not pass come first. The run’s folder has everything.</p>`
  );
}
