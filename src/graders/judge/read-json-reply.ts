/** The whole reply as one JSON object. JSON somewhere inside other text may be a quotation of what is judged, and counts for nothing. */
import type * as z from 'zod';
import { JsonRefusal, parseJson } from '../../archives/index.ts';

const MAX_DEPTH = 6;

/** Undefined where the reply is something else. */
export function readJsonReply<T>(reply: string, schema: z.ZodType<T>): T | undefined {
  // Many models put JSON into a fence even when told not to.
  const body = /^```(?:json)?\s*\n([^`]*)\n\s*```$/.exec(reply.trim())?.[1] ?? reply.trim();
  try {
    return schema.safeParse(parseJson(body, MAX_DEPTH)).data;
  } catch (thrown) {
    if (thrown instanceof JsonRefusal) return undefined;
    throw thrown;
  }
}
