/** The state of the application, read before and after the attempt. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

export const stateDiffSpecSchema = z.strictObject({
  grader: z.literal('state-diff'),
  name: graderNameSchema.optional(),
  /** Where the state is, as JSON; relative to the start page. It is opened in the attempt's own browser context. */
  stateUrl: z.string().min(1),
  /** Read before the attempt too: `before` in a query. */
  before: z.boolean().optional(),
  criteria: z
    .array(
      z.strictObject({
        /** JMESPath. */
        query: z.string().min(1),
        expected: z.json(),
        description: z.string().optional(),
      }),
    )
    .min(1)
    .max(100),
  /** A string that contains the expected one passes, and is counted apart. */
  softened: z.boolean().optional(),
});
export type StateDiffSpec = z.infer<typeof stateDiffSpecSchema>;
