/** A judge's verdict: the whole reply is one JSON object. JSON somewhere inside other text may be a quotation of the response, and counts for nothing. */
import { z } from 'zod';
import { JsonRefusal, parseJson } from '../../archives/index.ts';

const verdictSchema = z.object({ score: z.union([z.literal(0), z.literal(1)]), reason: z.string().min(1) });

const MAX_REASON = 2000;

export interface Verdict {
  readonly score: 0 | 1;
  readonly reason: string;
}

export function parseVerdict(content: string): Verdict | undefined {
  // Many models put JSON into a fence even when told not to.
  const body = /^```(?:json)?\s*\n([^`]*)\n\s*```$/.exec(content.trim())?.[1] ?? content.trim();
  try {
    const parsed = verdictSchema.safeParse(parseJson(body, 4));
    if (!parsed.success) return undefined;
    const { score, reason } = parsed.data;
    return { score, reason: reason.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MAX_REASON) };
  } catch (thrown) {
    if (thrown instanceof JsonRefusal) return undefined;
    throw thrown;
  }
}
