/** The graders whose judge replies with a verdict that can be read without the attempt. */
import { WaymarkError } from '../../errors/index.ts';
import { parseWebjudgeVerdict, parseWebvoyager } from '../../graders/index.ts';
import type { ReplyParser } from './calibrate-replies.ts';

const PARSERS: ReadonlyMap<string, ReplyParser> = new Map<string, ReplyParser>([
  ['webjudge', (reply) => parseWebjudgeVerdict(reply)?.verdict],
  ['webvoyager', (reply) => parseWebvoyager(reply)?.verdict],
]);

export function replyParserOf(grader: string): ReplyParser {
  const parser = PARSERS.get(grader);
  if (parser) return parser;
  throw new WaymarkError({
    code: 'usage_bad_grader',
    message: `Recorded replies of "${grader}" can't be read.`,
    hint: `--replies takes those of: ${[...PARSERS.keys()].join(', ')}. For another grader, give labelled attempts by --labels.`,
  });
}
