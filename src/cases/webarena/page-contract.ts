/**
 * WebArena's `program_html` as a contract, where it looks at the last page: a text that the page or an element must contain. It compares
 * without case; a contract compares with it, so that the usual ways to write the text are alternatives.
 */
import type { Assertion } from '../../contracts/index.ts';
import { NotPortable } from './imported-row.ts';
import type { PageRule } from './webarena-row.ts';

const ELEMENT_TEXT = /^document\.querySelector\((["'])(.{1,500}?)\1\)\.(?:outerText|innerText|textContent)$/;

export function pageContract({ url, locator, required_contents, prep_actions }: PageRule): Assertion[] {
  if (url.startsWith('func:')) throw new NotPortable(`It needs a helper in Python to find a page (${short(url)}).`);
  if (url !== 'last')
    throw new NotPortable(`It looks at another page than the last one, after the end (${short(url)}).`);
  if (prep_actions !== undefined) throw new NotPortable('It runs code in the page before it looks.');
  const { must_include } = required_contents;
  const selector = selectorOf(locator.trim());
  if (must_include === undefined)
    throw new NotPortable(`It compares the whole text of an element (${short(locator)}).`);
  return must_include.map((wanted) => anyOf(wanted.split(' |OR| ').flatMap(writtenForms), selector));
}

function selectorOf(locator: string): string | undefined {
  if (locator === '') return undefined;
  if (locator.startsWith('func:')) throw new NotPortable(`It needs a helper in Python (${short(locator)}).`);
  const selector = ELEMENT_TEXT.exec(locator)?.[2];
  if (selector !== undefined) return closed(selector);
  throw new NotPortable(`It reads a value of the page's script that contracts cannot see (${short(locator)}).`);
}

/** Browsers close what a selector leaves open at its end, as some of these do. */
function closed(selector: string): string {
  const open = selector.split('[').length - selector.split(']').length;
  return selector + ']'.repeat(Math.max(0, open));
}

function anyOf(texts: readonly string[], selector: string | undefined): Assertion {
  const [first, ...more] = [...new Set(texts)].map(
    (contains): Assertion => ({ kind: 'dom_text', ...(selector === undefined ? {} : { selector }), contains }),
  );
  if (!first) throw new NotPortable('It names no text.');
  return more.length === 0 ? first : { kind: 'or', children: [first, ...more] };
}

/** As it stands, and in lower case, as a sentence, as a title and in capitals. */
function writtenForms(text: string): string[] {
  const lower = text.toLowerCase();
  const sentence = lower.charAt(0).toUpperCase() + lower.slice(1);
  const title = lower.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
  return [text, lower, sentence, title, text.toUpperCase()];
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120).toWellFormed()}…` : text;
}
