/** A judge's verdict on the answer to a question. */
import { z } from 'zod';
import { storableText } from '../../cases/index.ts';
import { readJsonReply } from './read-json-reply.ts';

const verdictSchema = z.object({ score: z.literal([0, 1, null]), reason: z.string().min(1) });

const MAX_REASON = 2000;

export interface Verdict {
  /** Null: the judge says that it can't tell. */
  readonly score: 0 | 1 | null;
  readonly reason: string;
}

export function parseVerdict(content: string): Verdict | undefined {
  const verdict = readJsonReply(content, verdictSchema);
  return verdict && { score: verdict.score, reason: storableText(verdict.reason.slice(0, MAX_REASON)) };
}
