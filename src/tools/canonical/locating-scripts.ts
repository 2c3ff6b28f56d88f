/**
 * The scripts by which the renderers find an element in the page, for servers that have no other way to name it. They only observe, so that a
 * profile can classify calls with them as observing. They are recognised by their whole text; only a JSON literal varies, which has no effect.
 */
import { BOX_OF, waitFor } from './in-page.ts';
import { whereIs } from './mapped-find.ts';
import { boxOf, findBy } from './openchrome-find.ts';
import { unpacked } from './openchrome-script.ts';
import { pickBySelector } from './pick-by-selector.ts';

/** Whether the element is a frame; for @playwright/mcp. */
export const LOCAL_NAME = '(element) => element.localName';

const FIXED = new Set([BOX_OF, LOCAL_NAME]);
const MARK = '\u0000';
const LITERAL = JSON.stringify(MARK);
const WAITS = [true, false].map((gone) =>
  waitFor({ text: MARK, selector: MARK, url: MARK, gone }, Number.NaN).replace('NaN', LITERAL),
);
/** Each template as the pieces of text around its literals. */
const TEMPLATES = [
  boxOf(findBy(MARK)),
  whereIs(MARK),
  pickBySelector(MARK, Number.NaN).replace('NaN', LITERAL),
  ...WAITS,
  // For servers that take an expression and not a function.
  ...WAITS.map((wait) => `(${wait})()`),
].map((source) => source.split(LITERAL));

/** The arguments in which servers receive a script. */
const SCRIPT_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  browser_evaluate: ['function'],
  evaluate_script: ['function', 'expression'],
  evaluate: ['expression', 'code', 'script'],
  javascript_tool: ['code'],
};

/** Whether this call runs exactly one of the scripts. */
export function isLocating(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  // A server reads one of these arguments, and with two of them it is not known which.
  const [given, ...others] = (SCRIPT_ARGUMENTS[tool] ?? []).flatMap((name) => args[name] ?? []);
  if (typeof given !== 'string' || others.length > 0) return false;
  return isLocatingScript(tool === 'javascript_tool' ? unpacked(given) : given);
}

export function isLocatingScript(source: string): boolean {
  return FIXED.has(source) || TEMPLATES.some((parts) => fits(source, parts));
}

function fits(source: string, [first = '', ...rest]: readonly string[]): boolean {
  if (!source.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    // The last part is anchored at the end. A literal cannot contain an earlier part, because its quotes are escaped.
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
    // The parser throws when the text is not JSON.
    return false;
  }
}
