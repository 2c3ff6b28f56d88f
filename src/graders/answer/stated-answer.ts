/** What a response states as its answer: the text after the last "Final answer:", "The answer is" or `\boxed{`. */
import { lastMatches } from './read-option.ts';

const LABEL =
  /(?<![\p{L}\p{N}])(?:(?:the|my|our)\s+)?(?:(?:final|correct|right|short)\s+)?(?:answer|result)(?:\s+to\s+[^\n:.?]{1,100}?)?(?:\s+(?:is|was|would be)(?:\s*[:：])?|\s?[:：=])(?=\s)|\\boxed\{/giu;
const MAX_ANSWER = 2000;

/**
 * The rest of the label's line, or the next line where nothing follows on its own; undefined where there is no label.
 *
 * @example
 * statedAnswer('I looked twice.\nFINAL ANSWER: Tokyo'); // => 'Tokyo'
 */
export function statedAnswer(text: string): string | undefined {
  const label = lastMatches(text, LABEL).at(-1);
  if (!label) return undefined;
  const from = label.index + label[0].length;
  const rest = text.slice(from, from + MAX_ANSWER);
  const said = label[0].endsWith('{') ? boxed(rest) : (/^\s*([^\n]*)/.exec(rest)?.[1] ?? '');
  return said.trim() === '' ? undefined : said.trim();
}

/** Up to the bracket that closes the box. */
function boxed(rest: string): string {
  let depth = 1;
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '{') depth++;
    else if (rest[at] === '}' && --depth === 0) return rest.slice(0, at);
  }
  return '';
}
