/**
 * The replies of a judge that works as WebJudge does: key points, the score of a screenshot, and the verdict. Tolerant of the form: JSON as we ask for
 * it, or the lines that the published judges write. Never optimistic: a reply without a clear verdict has none.
 */
import * as z from 'zod';
import { readJsonReply } from '../judge/read-json-reply.ts';

export interface WebjudgeVerdict {
  readonly verdict: 'pass' | 'fail';
  readonly thoughts: string;
}

export interface WebjudgeScore {
  /** 1 to 5. */
  readonly score: number;
  readonly reasoning: string;
}

const verdictSchema = z.object({ thoughts: z.string(), status: z.enum(['success', 'failure']) });
const scoreSchema = z.object({ reasoning: z.string(), score: z.int().min(1).max(5) });
const pointsSchema = z.object({ key_points: z.array(z.string().min(1)).min(1) });

/** All kinds of quotes, and Markdown. */
const MARKS = /["'`“”„‟‘’‚‛«»‹›*_]/g;

/**
 * The last "Status:" counts: thoughts may hold an earlier one. Undefined where there is none, or where it says anything else.
 * @example parseWebjudgeVerdict('Thoughts: All filters are set.\nStatus: "success"')?.verdict; // => 'pass'
 */
export function parseWebjudgeVerdict(reply: string): WebjudgeVerdict | undefined {
  const said = readJsonReply(reply, verdictSchema);
  if (said) return { verdict: said.status === 'success' ? 'pass' : 'fail', thoughts: said.thoughts };
  const text = reply.replace(MARKS, '');
  const last = [...text.matchAll(/\bstatus\s*[:=]/gi)].at(-1);
  if (!last) return undefined;
  const [line = ''] = text
    .slice(last.index + last[0].length)
    .trim()
    .split('\n');
  // After "failure" a reason may follow. After "success" anything more could take it back.
  const [, word] = /^(success)[.!]?$/i.exec(line.trim()) ?? /^(failure)\b(?!\s*(?:or|\/|\|))/i.exec(line.trim()) ?? [];
  if (word === undefined) return undefined;
  const thoughts = reply.slice(0, reply.toLowerCase().lastIndexOf('status')).replace(/^\W*thoughts\W*:\W*/i, '');
  return {
    verdict: word.toLowerCase() === 'success' ? 'pass' : 'fail',
    thoughts: thoughts.replace(/[\W_]+$/, '.').trim(),
  };
}

/**
 * The last "Score" that a whole number from 1 to 5 follows. Undefined where there is none.
 * @example parseWebjudgeScore('1. **Reasoning**: A list.\n2. **Score**: 3')?.score; // => 3
 */
export function parseWebjudgeScore(reply: string): WebjudgeScore | undefined {
  const said = readJsonReply(reply, scoreSchema);
  if (said) return said;
  const found = [
    ...reply.matchAll(/\bscore\b(?:[\s*_]*\(\s*1\s*(?:-|–|to)\s*5\s*\))?[\s:=*_"'`()–-]*([1-5])(?![.,]?\d)/gi),
  ].at(-1);
  if (!found) return undefined;
  return { score: Number(found[1]), reasoning: firstParagraph(reply.slice(0, found.index)) };
}

/** The reasoning before the score, without its label and the number of the score's line. */
function firstParagraph(text: string): string {
  const [paragraph = ''] = text
    .replace(/^[\s\d.*_#]*reasoning[\s*_]*:?[\s*_]*/i, '')
    .trim()
    .split(/\n\s*\n/);
  return paragraph.replace(/\s*\n\s*\d\.[\s*_]*$/, '').trim();
}

/** One for each line or entry. Undefined where the judge named none. */
export function parseKeyPoints(reply: string): string[] | undefined {
  const said = readJsonReply(reply, pointsSchema);
  if (said) return said.key_points;
  const points = reply.split('\n').flatMap((line) => /^\s*(?:\d+[.)]|[-*•])\s+(.+)$/.exec(line)?.[1]?.trim() ?? []);
  return points.length === 0 ? undefined : points;
}
