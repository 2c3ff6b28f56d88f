/** The graders of a run: side by side, how far they agree with the one that decides, and where they do not. */
import path from 'node:path';
import type { GradeVerdict } from '../../events/index.ts';
import {
  agreementTable,
  differencesIn,
  GRADERS_NOTE,
  type GradedAttempt,
  type GraderSummary,
  type GraderTable,
  type GradeView,
  graderNotes,
  judgeModelText,
  short,
  verdictTable,
} from '../../view/index.ts';
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
  const agreement = agreementTable(graders);
  const differing = parts.filter(({ attempt }) => differencesIn(attempt).length > 0);
  return html`<section class="graders"><h2 id="graders">Graders</h2>
<p class="about">${GRADERS_NOTE}</p>
${tableOf('Verdicts', verdictTable(graders))}
${agreement.rows.length > 0 && tableOf('Agreement with the grader that decides', agreement)}
${graderNotes(graders).map((note) => html`<p class="about">${note}</p>`)}
${differing.length > 0 && differenceList(differing)}
</section>
`;
}

/** Grades of one attempt, with the files that belong to them. */
export function gradeList(grades: readonly GradeView[], decidedBy: string, folder: string): Html {
  return html`<ul class="grades">${grades.map((grade) => html`<li>${gradeLine(grade, grade.grader === decidedBy, REASONING.grade)}${filesOf(grade, folder)}</li>`)}</ul>`;
}

export function verdictChip(verdict: GradeVerdict): Html {
  const tone = verdict === 'pass' ? 'good' : verdict === 'fail' ? 'bad' : 'fault';
  return html`<span class="chip ${tone}">${verdict}</span>`;
}

function gradeLine({ grader, verdict, score, model, reasoning }: GradeView, decides: boolean, limit: number): Html {
  const partly = score !== null && score > 0 && score < 1;
  return html`<b>${grader}</b> ${verdictChip(verdict)}${decides && html` <span class="tag">decides</span>`}${partly && html` <span class="faint">score ${score.toFixed(2)}</span>`}${model !== undefined && html` <span class="faint">${judgeModelText(model)}</span>`} <span class="said">${short(reasoning, limit)}</span>`;
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

function tableOf(title: string, { columns, rows }: GraderTable): Html {
  return html`<h3>${title}</h3>
<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="episodes">
<thead><tr><th scope="col">Grader</th>${columns.map((name) => html`<th scope="col" class="num">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({
      grader,
      about,
      cells,
    }) => html`<tr><th scope="row">${grader}<span class="faint">${about}</span></th>${cells.map((cell) => html`<td class="num">${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>
`;
}
