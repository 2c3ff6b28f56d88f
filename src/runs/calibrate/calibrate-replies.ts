/** A judge's parser over replies that were recorded elsewhere, against people's labels: no model is asked. */
import * as z from 'zod';
import { type Calibration, CalibrationFold, type Judged } from './calibration.ts';
import { labelSchema } from './label.ts';
import { readLines } from './read-lines.ts';

/** What a grader reads in a reply of its judge; undefined where there is no verdict in it. */
export type ReplyParser = (reply: string) => 'pass' | 'fail' | undefined;

/** `human` is the name that published labels use. Other fields of a line are about where it came from. */
const replySchema = z
  .looseObject({
    judge: z.string().min(1).max(100).optional(),
    label: labelSchema.optional(),
    human: labelSchema.optional(),
    reply: z.string(),
  })
  .transform(({ judge = null, label, human, reply }, context) => {
    const said = label ?? human;
    if (said !== undefined && (label === undefined || human === undefined)) return { judge, label: said, reply };
    context.addIssue('needs one label: "label" or "human"');
    return z.NEVER;
  });

export function calibrateReplies(file: string, grader: string, parse: ReplyParser): Calibration {
  const { about, lines } = readLines(file, replySchema);
  const fold = new CalibrationFold();
  for (const { line, value } of lines) {
    const { judge, label, reply } = value;
    if (label === 'not_executable') fold.leaveOut(judge);
    else fold.add(judge, { line, label, ...judgedOf(reply, parse) });
  }
  return fold.result(grader, about);
}

function judgedOf(reply: string, parse: ReplyParser): Judged {
  const verdict = parse(reply);
  if (verdict !== undefined) return { verdict, reasoning: reply };
  const shown = reply.trim() === '' ? 'The reply is empty.' : `There is no verdict in the reply: ${reply}`;
  return { verdict: 'error', reasoning: shown };
}
