/** A comparison as one file that needs no network and no script. Text of pages stays text. */
import {
  claimSentence,
  comparisonTables,
  evidenceSentences,
  regressionSentence,
  type TextTable,
  verdictSentence,
} from '../../view/index.ts';
import type { ComparedRuns, RunFolderComparison } from '../compare/compare-run-folders.ts';
import { divergenceSentence, stepText } from '../compare/divergence-text.ts';
import type { DivergedPair } from '../compare/divergences.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import { htmlDocument } from './document.ts';
import { type Html, html } from './html.ts';
import { grantPictures } from './pictures.ts';
import { STYLE } from './style.ts';

export function comparisonPage({ comparisons }: ComparedRuns): string {
  const style = `${STYLE}${COMPARISON_STYLE}`;
  const [first] = comparisons;
  const title = first ? verdictSentence(first) : 'Nothing was compared.';
  return htmlDocument({
    title,
    style,
    body: html`<header><h1>Comparison of runs</h1>${first && html`<p>All are compared with <b>${first.a.name}</b> <span class="faint">(run ${first.a.runId}, ${first.a.startedAt})</span>.</p>`}</header>
<main>
${comparisons.map(sectionOf)}
</main>`,
  });
}

function sectionOf(comparison: RunFolderComparison): Html {
  const { a, b, divergences, divergencesLeftOut, overall } = comparison;
  const regression = regressionSentence(comparison);
  const uris = picturesOf(divergences);
  return html`<section class="comparison">
<h2>${b.name} against ${a.name} <span class="faint">(run ${b.runId}, ${b.startedAt})</span></h2>
<p class="verdict ${overall.verdict}">${verdictSentence(comparison)}</p>
${regression !== undefined && html`<p class="notice" role="note">${regression}</p>`}
<ul>${evidenceSentences(comparison).map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="claim">${claimSentence(comparison)}</p>
${comparisonTables(comparison, { withAll: true }).map(tableOf)}
${divergences.length > 0 && html`<h3>Where they part</h3>`}
${divergences.map((pair) => pairOf(pair, comparison, uris))}
${divergencesLeftOut > 0 && html`<p class="faint">${divergencesLeftOut} more cases came to something else; only the first ${divergences.length} are shown.</p>`}
</section>`;
}

function tableOf({ columns, rows, note, title }: TextTable): Html {
  return html`<h3>${title}</h3>${note !== undefined && html`<p class="about">${note}</p>`}<div class="scroll"><table class="compared"><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((text) => html`<td>${text}</td>`)}</tr>`)}</tbody></table></div>`;
}

type Uris = ReadonlyMap<DivergedPair, Record<'a' | 'b', string | undefined>>;

/** One picture of each side, within the bounds of a report. */
function picturesOf(pairs: readonly DivergedPair[]): Uris {
  const sides = pairs.flatMap((pair) =>
    (['a', 'b'] as const).map((side) => {
      const picture = pair.divergence?.[side].picture;
      return { pair, side, folder: pair.folders[side], success: false, files: picture ? [picture] : [] };
    }),
  );
  const granted = grantPictures(sides);
  const uris = new Map<DivergedPair, Record<'a' | 'b', string | undefined>>();
  for (const [index, { pair, side, files }] of sides.entries()) {
    const known = uris.get(pair) ?? { a: undefined, b: undefined };
    known[side] = files[0] === undefined ? undefined : granted[index]?.uris.get(files[0]);
    uris.set(pair, known);
  }
  return uris;
}

function pairOf(pair: DivergedPair, comparison: RunFolderComparison, uris: Uris): Html {
  const sides = ['a', 'b'] as const;
  return html`<article class="parted"><h4>${divergenceSentence(pair, comparison)}</h4><div class="sides">${sides.map(
    (side) =>
      html`<figure><figcaption>${comparison[side].name}${pair.divergence && html`, ${stepText(pair.divergence, side)}`}</figcaption>${pair.divergence && pictureOf(uris.get(pair)?.[side], comparison[side].name)}${pair.answers && html`<pre tabindex="0">${pair.answers[side] ?? 'No answer.'}</pre>`}</figure>`,
  )}</div></article>`;
}

function pictureOf(uri: string | undefined, name: string): Html {
  return uri === undefined
    ? html`<p class="faint">There is no picture of it.</p>`
    : html`<img src="${uri}" alt="What the page of ${name} showed then" loading="lazy">`;
}
