/** Finds JSON in a response: the whole response, the last fenced block, or the last balanced brackets that parse. */
import { JsonRefusal, parseJson } from '../../archives/index.ts';

const MAX_TRIES = 20;
const MAX_TEXT = 1_000_000;

export type FoundJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** With `inProse: false`, brackets in a sentence ("see [1]") do not count. */
export function findJson(response: string, { inProse = true }: { inProse?: boolean } = {}): FoundJson {
  const text = response.slice(0, MAX_TEXT).trim();
  const blocks = [...text.matchAll(/```[^\n`]{0,40}\n([^`]*)```/g)].map(([, body]) => body ?? '').reverse();
  const spans = inProse && /[{[]/.test(text) ? spansOf(text).reverse() : [];
  for (const candidate of [text, ...blocks, ...spans].slice(0, MAX_TRIES)) {
    try {
      return { ok: true, value: parseJson(candidate.trim()) };
    } catch (thrown) {
      if (!(thrown instanceof JsonRefusal)) throw thrown;
    }
  }
  return { ok: false };
}

/** Outermost balanced brackets, skipping strings inside them, in one pass. After a bracket that never closes, the search continues on the next line. */
function spansOf(text: string): string[] {
  const spans: string[] = [];
  let from = text.search(/[{[]/);
  for (let tries = 0; from >= 0 && tries < MAX_TRIES; tries++) {
    const end = endOfSpan(text, from);
    if (end !== undefined) spans.push(text.slice(from, end));
    const next = text.slice(end ?? from + 1).search(end === undefined ? /(?<=\n[ \t]{0,9})[{[]/ : /[{[]/);
    from = next < 0 ? -1 : (end ?? from + 1) + next;
  }
  return spans;
}

function endOfSpan(text: string, from: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (isInString) {
      if (char === '\\') at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}
