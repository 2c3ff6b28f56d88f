/** The final answer against a checker. */
import * as z from 'zod';
import { checkerSchema } from '../questions/checker-schema.ts';
import { graderNameSchema } from './grader-name.ts';

export const answerSpecSchema = z.strictObject({
  grader: z.literal('answer'),
  name: graderNameSchema.optional(),
  checker: checkerSchema.optional(),
  /** The right answer, where the checker needs one. */
  expected: z.json().optional(),
  /** The options of a `choice` or `multi_choice`. */
  choices: z.array(z.string()).optional(),
});
export type AnswerSpec = z.infer<typeof answerSpecSchema>;
