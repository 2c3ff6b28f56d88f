/** Finds the places where a response states which option it chooses. */
import { letterOf, mentionsIn } from '../../cases/index.ts';
import { lastMatches, type OptionRead, type Question, readOption } from './read-option.ts';

export interface Statement extends OptionRead {
  readonly at: number;
}

/** "The answer to this question is", "Final answer:", "the correct option would be", "\boxed{", "####". */
const LABEL =
  /(?:\b(?:answers?|solution)\b,?|\b(?:correct|right|best|final|chosen|my)\s+(?:option|choice|selection|letter|one)\b)(?:\s+(?!because\b|since\b|as\b|when\b|if\b|that\b|which\b|so\b)[^\s.!?:=]{1,30}){0,8}?\s*(?:\b(?:is|are|was|were|would be|should be|must be|will be)\b|[:=→⇒]|->)|\\boxed\{|####/gi;
/** Weaker: counts only when the option ends its clause. "It's B.", "I'd go with B", "Wait, no: B". */
const HINT =
  /\b(?:(?:i|we)(?:['’](?:d|ll)|\s+would|\s+will)?\s+(?:choose|chose|pick|select|go with|say|answer|think|believe|guess|opt for)(?:\s+(?:that|it['’]s|it is|is|the answer is)){0,2}|it['’]s|it is|that['’]s|that is|it must be|therefore|thus|hence|so|no|wait|actually|rather|correction|choose|select|pick|going with)[,:]?\s/gi;
/** "B is correct", "(B) Mercury is the right answer". */
const PRAISE =
  /\s(?:is|was|would be|must be|seems|looks)\s+(?:(?:indeed|clearly|definitely|likely|probably|the|a|most|only|single|best|correct|right)\s+){0,4}(?:correct|right|best|true|accurate|answer|choice|option)\b/gi;
const CLAUSE_END = /^[\s"'”’)\]}]{0,4}(?:[.!?;,\n]|$)/;
const MAX_CLAUSE = 200;

/** In text order; the last one counts. */
export function statementsIn(question: Question): Statement[] {
  const found: Statement[] = [];
  const { text } = question;
  for (const { index, 0: label } of lastMatches(text, LABEL)) {
    const from = index + label.length;
    const read = readOption(question, from) ?? onlyMention(question, from);
    if (read) found.push({ ...read, at: index });
  }
  for (const { index, 0: hint } of lastMatches(text, HINT)) {
    const read = readOption(question, index + hint.length);
    if (read && CLAUSE_END.test(text.slice(read.end, read.end + 8))) found.push({ ...read, at: index });
  }
  for (const { index } of lastMatches(text, PRAISE)) {
    const read = readBackwards(question, index);
    if (read) found.push({ ...read, at: index });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** "The answer is the planet Mercury": a single option in the clause is the chosen one. */
function onlyMention({ lower, options }: Question, from: number): OptionRead | undefined {
  const clause = /^\s*[^\n]*/.exec(lower.slice(from, from + MAX_CLAUSE))?.[0].split(/[.!?]\s/)[0] ?? '';
  if (/\b(?:not|never|neither|none|except)\b/.test(clause)) return undefined;
  const named = new Set(mentionsIn(clause, options).map(({ index }) => index));
  const [first, second] = named;
  if (first === undefined) return undefined;
  const end = from + clause.length;
  return second === undefined ? { index: first, end } : { index: first, end, conflict: `names ${letters(named)}` };
}

function readBackwards(question: Question, end: number): OptionRead | undefined {
  const before = question.text.slice(Math.max(0, end - 120), end);
  const letter = /(?:^|[\s"'“‘(*])\(?([A-Z])[)\].]?["'”’)]*$/.exec(before)?.[1];
  if (letter !== undefined) {
    const index = letter.charCodeAt(0) - 65;
    return index < question.options.length ? { index, end } : undefined;
  }
  const lower = before.toLowerCase().replace(/["'”’)\s]+$/, '');
  const last = mentionsIn(lower, question.options).at(-1);
  return last && last.end === lower.length ? { index: last.index, end } : undefined;
}

function letters(indexes: ReadonlySet<number>): string {
  return [...indexes]
    .sort((a, b) => a - b)
    .map(letterOf)
    .join(' and ');
}
