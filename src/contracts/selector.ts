/**
 * Checks the syntax of selectors without a document: CSS Selectors 4 as Chromium's `querySelector` reads it, plus `>>>`.
 * Stricter than the browser where its leniency hides mistakes: an unclosed bracket, an invalid selector inside `:is()`,
 * a pseudo-element (which is not an element, so nothing could ever match).
 */
import { messageOf } from '../errors/index.ts';
import { OLD_PSEUDO_ELEMENTS, PLAIN, WITH_ARGUMENT } from './pseudo-classes.ts';

export type ParsedSelector =
  | {
      ok: true;
      /** One CSS selector per hop: each except the last leads into a shadow root or an iframe. */
      hops: string[];
    }
  | {
      ok: false;
      /** Completes the sentence "It is not a valid selector: …". */
      problem: string;
    };

const COMMENTS = /(?:\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)+/y;
const SPACE = new RegExp(`(?:[ \\t\\n\\r\\f]|${COMMENTS.source})+`, 'y');
const ESCAPE = '\\\\(?:[0-9a-fA-F]{1,6}(?:\\r\\n|[ \\t\\n\\r\\f])?|[^0-9a-fA-F\\n\\r\\f])';
const START = `(?:[a-zA-Z_\\u0080-\\uffff\\0]|${ESCAPE})`;
const CHARACTER = `(?:[a-zA-Z0-9_\\u0080-\\uffff\\0-]|${ESCAPE})`;
const IDENTIFIER = new RegExp(`(?:--(?!>)${CHARACTER}*|-?${START}${CHARACTER}*)`, 'y');
const STRING = /"(?:[^"\\\n\r\f]|\\(?:\r\n|[\s\S]))*"|'(?:[^'\\\n\r\f]|\\(?:\r\n|[\s\S]))*'/y;
const ATTRIBUTE_OPERATOR = /[~|^$*]?=/y;
const NTH = /(?:even|odd|[+-]?\d*n(?:[ \t\n\r\f]*[+-][ \t\n\r\f]*\d+)?|[+-]?\d+)(?![\w-])/iy;
const OF = /[ \t\n\r\f]+of(?=[ \t\n\r\f(.#[:*])/y;
const MAX_NESTING = 32;

/**
 * @example
 * parseSelector('my-form >>> input[name="q" i]'); // { ok: true, hops: ['my-form', 'input[name="q" i]'] }
 * parseSelector('div['); // { ok: false, problem: 'expected the name of an attribute at character 5, but the selector ends there.' }
 */
export function parseSelector(source: string): ParsedSelector {
  try {
    return { ok: true, hops: readHops(source) };
  } catch (thrown) {
    return { ok: false, problem: messageOf(thrown) };
  }
}

function readHops(source: string): string[] {
  let at = 0;
  let nesting = 0;
  let insideHas = false;

  const peek = (token: string) => source.startsWith(token, at);
  const take = (token: string) => {
    if (!peek(token)) return false;
    at += token.length;
    return true;
  };
  const match = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const fail = (what: string): never => {
    const seen = at >= source.length ? 'the selector ends there' : `found "${source.slice(at, at + 12)}"`;
    throw new SyntaxError(`${what} at character ${at + 1}, but ${seen}.`);
  };
  const identifier = (what: string) => match(IDENTIFIER) ?? fail(`expected ${what}`);
  const close = (token: string, opened: string) => {
    match(SPACE);
    if (!take(token)) fail(`expected "${token}" to close "${opened}"`);
  };

  const list = (relative: boolean) => {
    do {
      match(SPACE);
      complex(relative);
      match(SPACE);
    } while (take(','));
  };

  const complex = (relative: boolean) => {
    if (relative && match(/[>+~]/y) !== undefined) match(SPACE);
    compound();
    for (;;) {
      const spaced = match(SPACE) !== undefined;
      if (peek('>>>')) {
        if (nesting > 0) fail('">>>" can only stand outside of parentheses; expected another selector');
        return;
      }
      if (match(/[>+~]/y) !== undefined) {
        match(SPACE);
        compound();
      } else if (spaced && at < source.length && !peek(',') && !peek(')')) {
        compound();
      } else {
        return;
      }
    }
  };

  const compound = () => {
    const before = at;
    typeSelector();
    let end: number;
    for (;;) {
      // A comment alone is not a descendant combinator: "a/**/.b" is one element.
      end = at;
      match(COMMENTS);
      if (take('#')) identifier('an id behind "#"');
      else if (take('.')) identifier('a class name behind "."');
      else if (take('[')) attribute();
      else if (peek(':')) pseudo();
      else if (!take('&')) break;
    }
    if (end === before) fail('expected a selector');
  };

  /** `a`, `*`, `*|a`, `|a`. Documents declare no namespace prefixes, so `svg|a` can only throw. */
  const typeSelector = () => {
    const name = take('*') ? '*' : match(IDENTIFIER);
    if (!peek('|')) return;
    if (name !== undefined && name !== '*') {
      fail(`the namespace prefix "${name}" is declared nowhere (use "*|"); expected a selector without it`);
    }
    at++;
    if (!take('*')) identifier('the name of an element behind "|"');
  };

  const attribute = () => {
    match(SPACE);
    const any = peek('*|');
    if (any) at += 2;
    else if (peek('|') && !peek('|=')) at++;
    identifier('the name of an attribute');
    match(SPACE);
    if (match(ATTRIBUTE_OPERATOR) !== undefined) {
      match(SPACE);
      if (match(STRING) === undefined) identifier('a quoted value or a name');
      match(SPACE);
      match(/i(?=[ \t\n\r\f\]])/iy);
    }
    close(']', '[');
  };

  const pseudo = () => {
    const start = at;
    at++;
    if (peek(':')) {
      at = start;
      fail('a pseudo-element is not an element of the page; expected a pseudo-class or the end of the selector');
    }
    const name = identifier('the name of a pseudo-class behind ":"').toLowerCase();
    const argument = WITH_ARGUMENT.get(name);
    const open = peek('(');
    if (OLD_PSEUDO_ELEMENTS.has(name)) {
      at = start;
      fail('a pseudo-element is not an element of the page; expected a pseudo-class or the end of the selector');
    }
    if (open ? argument === undefined : !PLAIN.has(name)) {
      at = start;
      const shape = open ? `:${name}()` : `:${name}`;
      fail(`Chromium does not support the pseudo-class "${shape}"; expected one that it supports`);
    }
    if (!open || argument === undefined) return;
    at++;
    if (++nesting > MAX_NESTING) fail(`parentheses nest more than ${MAX_NESTING} deep; expected fewer`);
    match(SPACE);
    inside(name, argument, start);
    close(')', `:${name}(`);
    nesting--;
  };

  const inside = (name: string, argument: string, start: number) => {
    if (argument === 'relative') {
      if (insideHas) {
        at = start;
        fail('":has()" cannot stand inside another ":has()"; expected another selector');
      }
      insideHas = true;
      list(true);
      insideHas = false;
    } else if (argument === 'list') list(false);
    else if (argument === 'compound') compound();
    else if (argument === 'direction') match(/(?:ltr|rtl)(?![\w-])/iy) ?? fail('expected ltr or rtl');
    else if (argument === 'name' || argument === 'names') {
      do {
        match(SPACE);
        identifier(`a name in ":${name}()"`);
        match(SPACE);
      } while (argument === 'names' && take(','));
    } else {
      if (match(NTH) === undefined) fail('expected a number, "odd", "even" or a step such as 2n+1');
      if (argument === 'nth-of' && match(OF) !== undefined) list(false);
    }
  };

  const hops: string[] = [];
  let from = 0;
  do {
    from = at;
    list(false);
    hops.push(source.slice(from, at).trim());
  } while (take('>>>'));
  if (at < source.length) fail('expected the end of the selector');
  return hops;
}
