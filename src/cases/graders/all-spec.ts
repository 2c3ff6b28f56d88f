/** Several graders of the case together: it passes where all of them do. For a case that more than one grader decides. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

export const allSpecSchema = z.strictObject({
  grader: z.literal('all'),
  name: graderNameSchema.optional(),
  /** Names of graders of the same case that ask no model; `contract` is one. */
  of: z.array(graderNameSchema).min(1).max(20),
});
export type AllSpec = z.infer<typeof allSpecSchema>;
