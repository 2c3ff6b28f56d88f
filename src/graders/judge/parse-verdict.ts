/** A judge's verdict on the answer to a question. */
import { z } from 'zod';
import { storableText } from '../../cases/index.ts';
import { readJsonReply } from './read-json-reply.ts';

const verdictSchema = z.object({ score: z.union([z.literal(0), z.literal(1)]), reason: z.string().min(1) });

const MAX_REASON = 2000;

export interface Verdict {
  readonly score: 0 | 1;
  readonly reason: string;
}

export function parseVerdict(content: string): Verdict | undefined {
  const verdict = readJsonReply(content, verdictSchema);
  return verdict && { score: verdict.score, reason: storableText(verdict.reason.slice(0, MAX_REASON)) };
}
