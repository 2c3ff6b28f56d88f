/** Who judges what no checker can. Agreed on when the pack is made; the token holds its hash. */
import { z } from 'zod';
import { canonicalHash } from '../../cases/index.ts';

export const judgeSchema = z.object({
  provider_id: z.string().max(200),
  model: z.string().max(200),
  /** Instructions for the judge beside the built-in ones; may be empty. */
  prompt: z.string().max(20_000).default(''),
});

export type Judge = z.infer<typeof judgeSchema>;

export function judgeHash(judge: Judge | null): string | null {
  return judge === null
    ? null
    : canonicalHash({ provider_id: judge.provider_id, model: judge.model, prompt: judge.prompt });
}
