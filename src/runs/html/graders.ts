/** The graders of a run: side by side, how far they agree with the one that decides, and where they do not. */
import path from 'node:path';
import type { GradeVerdict } from '../../events/index.ts';
import {
  differencesIn,
  type GradedAttempt,
  type GraderSummary,
  type GradeView,
  gradeCostText,
  gradeTokenText,
  kappaInterval,
  kappaText,
  notComparedText,
  shareCount,
  shareInterval,
  short,
} from '../../view/index.ts';
import { GRADERS_NOTE } from '../markdown-graders.ts';
import { type Html, html } from './html.ts';
import { linkTo } from './link.ts';

/** Characters of a reasoning: of a grade, and in the list of differences. */
const REASONING = { grade: 1_000, difference: 400 };
/** Attempts in the list of differences, of which the first few are open; report.md has all of them. */
const LISTED = { all: 200, open: 5 };

export interface GradedPart {
  name: string;
  /** Where the attempt is: an address in the page or beside it. */
  href: string;
  attempt: GradedAttempt;
}

export function gradersSection(graders: readonly GraderSummary[], parts: readonly GradedPart[]): Html {
  const compared = graders.filter(({ agreement }) => agreement);
  const differing = parts.filter(({ attempt }) => differencesIn(attempt).length > 0);
  return html`<section class="graders"><h2 id="graders">Graders</h2>
<p class="about">${GRADERS_NOTE}</p>
${differing.length > 0 && differenceList(differing)}
${table('Verdicts', ['Decides', 'Pass', 'Fail', 'Error', 'Skipped', 'Pass rate', '95 % interval', 'With errors', 'Calls', 'Tokens in / out', 'Cost'], graders.map(rateRow))}
${compared.length > 0 && table('Agreement with the grader that decides', ['Both pass', 'Only it passes', 'Only the deciding one', 'Neither', 'Same verdict', 'Cohen’s κ', '95 % interval', 'Not compared'], compared.map(agreementRow))}
${compared.map(({ grader, agreement }) => agreement?.kappa.undefinedBecause !== undefined && html`<p class="about">κ of ${grader} is not defined: ${agreement.kappa.undefinedBecause}.</p>`)}
</section>
`;
}

/** All grades of one attempt. */
export function gradeList(attempt: GradedAttempt, folder: string): Html {
  return html`<section><h3>Grades</h3><ul class="grades">${attempt.grades.map((grade) => html`<li>${gradeLine(grade, grade.grader === attempt.decidedBy, REASONING.grade)}${filesOf(grade, folder)}</li>`)}</ul></section>`;
}

export function verdictChip(verdict: GradeVerdict): Html {
  const tone = verdict === 'pass' ? 'good' : verdict === 'fail' ? 'bad' : 'fault';
  return html`<span class="chip ${tone}">${verdict}</span>`;
}

function gradeLine({ grader, verdict, score, model, reasoning }: GradeView, decides: boolean, limit: number): Html {
  const partly = score !== null && score > 0 && score < 1;
  return html`<b>${grader}</b> ${verdictChip(verdict)}${decides && html` <span class="tag">decides</span>`}${partly && html` <span class="faint">score ${score.toFixed(2)}</span>`}${model !== undefined && html` <span class="faint">${model}</span>`} <span class="said">${short(reasoning, limit)}</span>`;
}

function filesOf({ artifacts = [] }: GradeView, folder: string): Html | false {
  if (artifacts.length === 0) return false;
  return html` <details><summary class="faint">${artifacts.length} ${artifacts.length === 1 ? 'file' : 'files'}</summary><ul>${artifacts.map((key) => html`<li><a href="${linkTo(path.join(folder, ...key.split('/')))}">${key}</a></li>`)}</ul></details>`;
}

function differenceList(parts: readonly GradedPart[]): Html {
  const more = parts.slice(LISTED.open, LISTED.all);
  const leftOut = Math.max(0, parts.length - LISTED.all);
  return html`<h3>Where graders differ from the one that decides</h3>
<ul class="differences">${parts.slice(0, LISTED.open).map(differenceItem)}</ul>
${more.length > 0 && html`<details><summary>${more.length} more</summary><ul class="differences">${more.map(differenceItem)}</ul></details>`}${leftOut > 0 && html`<p class="notice" role="note">${leftOut} more are not listed here; report.md lists all of them.</p>`}`;
}

function differenceItem({ name, href, attempt }: GradedPart): Html {
  const differing = differencesIn(attempt);
  const shown = attempt.grades.filter((grade) => grade.grader === attempt.decidedBy || differing.includes(grade));
  return html`<li><a href="${href}">${name}</a><ul class="grades">${shown.map((grade) => html`<li>${gradeLine(grade, grade.grader === attempt.decidedBy, REASONING.difference)}</li>`)}</ul></li>
`;
}

function rateRow({ grader, decides, models = [], verdicts, passRate, passRateWithErrors, cost }: GraderSummary): Html {
  const cells = [
    decides ?? '–',
    verdicts.pass,
    verdicts.fail,
    verdicts.error,
    verdicts.skipped,
    shareCount(passRate),
    shareInterval(passRate),
    shareCount(passRateWithErrors),
    cost?.calls ?? '–',
    cost ? gradeTokenText(cost) : '–',
    cost ? gradeCostText(cost) : '–',
  ];
  return html`<tr><th scope="row">${grader}${models.length > 0 && html`<span class="faint">${models.join(', ')}</span>`}</th>${cells.map(number)}</tr>
`;
}

function agreementRow({ grader, agreement }: GraderSummary): Html {
  if (!agreement) return html``;
  const { bothPass, onlyJudge, onlyReference, neither } = agreement.table;
  const cells = [
    bothPass,
    onlyJudge,
    onlyReference,
    neither,
    shareCount(agreement.agreement),
    kappaText(agreement.kappa),
    kappaInterval(agreement.kappa),
    notComparedText(agreement.notCompared) || '–',
  ];
  return html`<tr><th scope="row">${grader}<span class="faint">with ${agreement.with.join(', ')}</span></th>${cells.map(number)}</tr>
`;
}

function number(cell: string | number): Html {
  return html`<td class="num">${cell}</td>`;
}

function table(title: string, numbers: readonly string[], rows: readonly Html[]): Html {
  return html`<h3>${title}</h3>
<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="episodes">
<thead><tr><th scope="col">Grader</th>${numbers.map((name) => html`<th scope="col" class="num">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
`;
}
