/** A contract's evidence in words, each line with its mark: colour alone tells nothing to some readers. */
import type { Evidence } from '../../contracts/index.ts';
import { type Html, html } from './html.ts';

const MARKS = { pass: '✓', fail: '✗', inconclusive: '?' } as const;
const WORDS: readonly (readonly [prefix: string, verdict: Evidence['verdict']])[] = [
  ['Passed: ', 'pass'],
  ['Failed: ', 'fail'],
  ['Inconclusive: ', 'inconclusive'],
];

export function verdictMark(verdict: Evidence['verdict']): Html {
  return html`<span class="verdict ${verdict}" title="contract: ${verdict}">${MARKS[verdict]}<span class="hidden"> contract: ${verdict}</span></span>`;
}

/** `explain` gives one line an assertion, children two spaces further in. */
export function contractLines(lines: readonly string[]): Html {
  if (lines.length === 0) return html`<p>No evidence was recorded.</p>`;
  return html`<ul class="contract">${lines.map((line) => {
    const sentence = line.trimStart();
    const depth = Math.min(8, (line.length - sentence.length) / 2);
    const [prefix = '', verdict] = WORDS.find(([word]) => sentence.startsWith(word)) ?? [];
    return html`<li class="d${depth}">${verdict && verdictMark(verdict)} ${sentence.slice(prefix.length)}</li>`;
  })}</ul>`;
}
