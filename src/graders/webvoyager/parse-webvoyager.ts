/** The verdict in a reply of the judge. Tolerant of its form, and never optimistic: what does not clearly say SUCCESS is no success. */
import * as z from 'zod';
import { readJsonReply } from '../judge/read-json-reply.ts';

export interface WebvoyagerVerdict {
  readonly verdict: 'pass' | 'fail';
  readonly thoughts: string;
}

const replySchema = z.object({ thoughts: z.string(), verdict: z.enum(['SUCCESS', 'NOT SUCCESS']) });

/** Undefined where there is none: that is an error of the judge, and neither a pass nor a failure. */
export function parseWebvoyager(reply: string): WebvoyagerVerdict | undefined {
  const said = readJsonReply(reply, replySchema);
  if (said) return { verdict: said.verdict === 'SUCCESS' ? 'pass' : 'fail', thoughts: said.thoughts };
  const lines = reply.trim().split('\n');
  const last = plain(lines.at(-1) ?? '');
  const thoughts = lines.slice(0, -1).join('\n').trim();
  // "NOT SUCCESS" holds "SUCCESS": it is looked for first, and everywhere.
  if (/\bNOT[\s_-]+SUCCESS\b/.test(reply) || /^not[\s_-]+success$/i.test(last)) return { verdict: 'fail', thoughts };
  return /^success$/i.test(last) ? { verdict: 'pass', thoughts } : undefined;
}

/** Without Markdown, quotes, a label and the full stop. */
function plain(line: string): string {
  return line
    .replace(/[*_`"'“”„‘’«»#>]/g, '')
    .trim()
    .replace(/^(?:(?:final\s+)?(?:verdict|decision|result|status|answer)\s*(?:is\s*)?[:=–-]\s*)/i, '')
    .replace(/[.!]+$/, '')
    .trim();
}
