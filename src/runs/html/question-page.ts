/** `report.html` of a run of questions: one file that needs no network, no script and no server. */
import path from 'node:path';
import type { Rate } from '../../metrics/index.ts';
import { costText, countText, modelText, shareText, warningText } from '../question-numbers.ts';
import type { Accuracy, QuestionReportHead, Usage } from '../question-report.ts';
import { gradedQuestion } from '../question-result.ts';
import { rateBar } from './charts.ts';
import { htmlDocument } from './document.ts';
import { gradeList, gradersSection, verdictChip } from './graders.ts';
import { GRADERS_STYLE } from './graders-style.ts';
import { type Html, html } from './html.ts';
import { linkTo } from './link.ts';
import { QUESTION_STYLE } from './question-style.ts';
import type { ShownQuestion } from './shown-questions.ts';
import { STYLE } from './style.ts';

/** Characters of a prompt or an answer that are shown before it is opened. */
const BRIEF = 120;

export function questionPage(
  head: QuestionReportHead,
  { questions, leftOut }: { questions: readonly ShownQuestion[]; leftOut: number },
): string {
  const { graders } = head.summary;
  const style = `${STYLE}${QUESTION_STYLE}${graders ? GRADERS_STYLE : ''}`;
  const graded = questions.map(({ result }) => ({
    name: result.id,
    href: linkTo(result.journal ?? ''),
    attempt: gradedQuestion(result),
  }));
  const answered = questions.filter(({ result }) => result.status === 'answered');
  const others = questions.filter(({ result }) => result.status !== 'answered');
  return htmlDocument({
    title: `${head.summary.passed} of ${head.summary.scored} right: run ${head.runId}`,
    style,
    body: html`${headerOf(head)}
<main>
${graders && gradersSection(graders, graded)}${head.summary.sections.length > 1 && sectionTable(head.summary.sections)}
${others.length > 0 && errorTable(others)}
${answered.length > 0 && answerTable(answered)}
${leftOut > 0 && html`<p class="notice" role="note">${leftOut} of ${leftOut + questions.length} items are not in this file, because a browser could not open it; those that did not pass come first. report.json has all of them.</p>`}
</main>`,
  });
}

function headerOf(head: QuestionReportHead): Html {
  const { runId, startedAt, dataset, summary, usage, judgeUsage, warnings } = head;
  const coverage = summary.coverage === null ? 'No items.' : `${summary.scored} of ${summary.total} items were scored.`;
  return html`<header>
<h1>Run ${runId}</h1>
<p><b>${modelText(head)}</b> on <b>${dataset.name}</b>, <time datetime="${startedAt}">${startedAt.replace('T', ' ').slice(0, 16)} UTC</time>.</p>
<div class="rates">${rateBar('Accuracy', 'Of what was scored; errors are no wrong answers.', rateOf(summary))}<div class="rate"><h2>Coverage</h2><p class="figure">${shareText(summary.coverage)} <span>${summary.scored} of ${summary.total}</span></p><p class="about">${coverage} ${countText(summary)}.</p></div><div class="rate"><h2>Tokens</h2><p class="figure">${usageFigure(usage)}</p><p class="about">Read / written. Cost: ${costText(usage)}.${judgeUsage && ` The judge: ${usageFigure(judgeUsage)}, cost ${costText(judgeUsage)}.`}</p></div></div>
${warnings.map((warning) => html`<p class="notice" role="note">${warningText(warning)}</p>`)}
</header>`;
}

function rateOf({ passed, scored, accuracy, interval }: Accuracy): Rate {
  return { passed, of: scored, rate: accuracy, interval };
}

function usageFigure({ inputTokens, outputTokens }: Usage): string {
  const shown = (tokens: number | null): string => tokens?.toLocaleString('en') ?? 'unknown';
  return inputTokens === null && outputTokens === null ? 'unknown' : `${shown(inputTokens)} / ${shown(outputTokens)}`;
}

function sectionTable(sections: QuestionReportHead['summary']['sections']): Html {
  return html`<h3 id="sections">Sections</h3>
<div class="scroll" role="region" aria-labelledby="sections" tabindex="0"><table class="episodes">
<thead><tr><th scope="col">Section</th><th scope="col" class="num">Right</th><th scope="col" class="num">Accuracy</th><th scope="col" class="num">95 % interval</th><th scope="col" class="num">Scored</th></tr></thead>
<tbody>${sections.map(
    (
      one,
    ) => html`<tr><th scope="row">${one.section}</th><td class="num">${one.passed}</td><td class="num">${shareText(one.accuracy)}</td><td class="num">${one.accuracy === null ? '–' : `${shareText(one.interval.low)} – ${shareText(one.interval.high)}`}</td><td class="num">${one.scored} of ${one.total}</td></tr>
`,
  )}</tbody></table></div>`;
}

function errorTable(questions: readonly ShownQuestion[]): Html {
  return html`<h3>Without an answer</h3>
<table class="questions">
<thead><tr><th scope="col">Item</th><th scope="col">Status</th><th scope="col">Reason</th><th scope="col">Prompt</th></tr></thead>
<tbody>${questions.map(
    ({
      result,
      cut,
    }) => html`<tr><th scope="row">${nameOf(result)}</th><td data-name="Status"><span class="chip fault">${result.status === 'missing' ? 'not asked' : 'error'}</span></td><td data-name="Reason">${result.error ? html`<code>${result.error.code}</code> ${result.error.message}` : 'It was not asked, or its call was cut off.'}</td><td data-name="Prompt">${textOf(result.prompt, cut.prompt)}</td></tr>
`,
  )}</tbody></table>`;
}

function answerTable(questions: readonly ShownQuestion[]): Html {
  return html`<h3>Answers</h3>
<div class="tools"><label><input type="checkbox" id="only"> only what did not pass</label></div>
<table class="questions">
<thead><tr><th scope="col">Item</th><th scope="col">Verdict</th><th scope="col">Prompt</th><th scope="col">Answer</th><th scope="col">Reason</th></tr></thead>
<tbody>${questions.map(
    ({
      result,
      cut,
    }) => html`<tr data-passed="${String(result.grade?.verdict === 'pass')}"><th scope="row">${nameOf(result)}</th><td data-name="Verdict">${decidingChip(result)}</td><td data-name="Prompt">${textOf(result.prompt, cut.prompt)}</td><td data-name="Answer">${textOf(result.answer, cut.answer)}</td><td data-name="Reason">${result.grade?.reason ?? ''}${result.grade?.grader === 'judge' && html` <span class="tag">judge</span>`}${furtherGrades(result)}</td></tr>
`,
  )}</tbody></table>`;
}

function nameOf({ id, section, journal, attempt }: ShownQuestion['result']): Html {
  const name = journal === null ? html`${id}` : html`<a href="${linkTo(journal)}">${id}</a>`;
  return html`${name}<span class="faint">${section}${attempt > 1 && `, attempt ${attempt}`}</span>`;
}

function decidingChip({ grade }: ShownQuestion['result']): Html {
  if (!grade) return html`<span class="chip fault">no score</span>`;
  const partly = grade.score !== null && grade.score > 0 && grade.score < 1;
  return html`${verdictChip(grade.verdict)}${partly && html` <span class="faint">${shareText(grade.score)}</span>`}`;
}

/** Under the reason of the verdict that counts. */
function furtherGrades(result: ShownQuestion['result']): Html | false {
  const { decidedBy, grades } = gradedQuestion(result);
  const further = grades.filter(({ grader }) => grader !== decidedBy);
  return further.length > 0 && gradeList(further, decidedBy, path.dirname(result.journal ?? ''));
}

function textOf(text: string | null, cut: number): Html {
  if (text === null) return html`<span class="none">none</span>`;
  if (text.length <= BRIEF && !text.includes('\n')) return html`${text}`;
  const [first = ''] = text.trimStart().split('\n', 1);
  return html`<details><summary>${first.slice(0, BRIEF)}…</summary><pre>${text}</pre>${cut > 0 && html`<p class="faint">${cut} more characters are in the journal.</p>`}</details>`;
}
