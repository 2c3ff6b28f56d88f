/**
 * The scripts by which our renderers find an element in the page, on servers that name elements in no other way. They only look, so that a
 * profile can say so of the calls that carry them. They are known by their whole text; the only part that varies is a JSON literal, which does nothing.
 */
import { BOX_OF } from './in-page.ts';
import { boxOf, findBy } from './openchrome-find.ts';
import { pickBySelector } from './pick-by-selector.ts';

/** Is the element a frame? Asked of @playwright/mcp. */
export const LOCAL_NAME = '(element) => element.localName';

const FIXED = new Set([BOX_OF, LOCAL_NAME]);
const MARK = '\u0000';
const LITERAL = JSON.stringify(MARK);
/** Each template as its text around the literals. */
const TEMPLATES = [boxOf(findBy(MARK)), pickBySelector(MARK, Number.NaN).replace('NaN', LITERAL)].map((source) =>
  source.split(LITERAL),
);

/** The arguments by which the servers that we render for are given a script. */
const SCRIPT_ARGUMENTS: Readonly<Record<string, string>> = {
  browser_evaluate: 'function',
  evaluate_script: 'function',
  javascript_tool: 'code',
};

/** Whether this call runs one of the scripts, and nothing else. */
export function isLocating(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  const source = args[SCRIPT_ARGUMENTS[tool] ?? ''];
  if (typeof source !== 'string') return false;
  return FIXED.has(source) || TEMPLATES.some((parts) => fits(source, parts));
}

function fits(source: string, [first = '', ...rest]: readonly string[]): boolean {
  if (!source.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    // The last part is anchored at the end; a literal can't hold an earlier one, because quotes in it are escaped.
    const end = index === rest.length - 1 ? source.length - part.length : source.indexOf(part, at);
    if (end < at || !source.startsWith(part, end) || !isJson(source.slice(at, end))) return false;
    at = end + part.length;
  }
  return at === source.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The parser throws for what is not JSON, which is the question.
    return false;
  }
}
