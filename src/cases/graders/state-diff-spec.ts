/** The state of the application, read after the attempt, and before it where that is asked for. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

export const stateDiffSpecSchema = z.strictObject({
  grader: z.literal('state-diff'),
  name: graderNameSchema.optional(),
  /** Where the state is, as JSON; relative to the start page. It is opened in the attempt's own browser context. */
  stateUrl: z.string().min(1).max(4_096).refine(isWebAddress, {
    error: 'must be the address of a web page (http: or https:), or relative to the start page',
  }),
  /** Read before the attempt too. Queries are then on `{ before, after }`, and otherwise on the state after it. */
  before: z.boolean().optional(),
  criteria: z
    .array(
      z.strictObject({
        /** JMESPath. */
        query: z.string().min(1).max(10_000),
        /** Any JSON; types count. */
        expected: z.json(),
        description: z.string().optional(),
      }),
    )
    .min(1)
    .max(100),
  /** A text that contains the expected one passes, whatever the case. It is counted apart in any case. */
  softened: z.boolean().optional(),
});
export type StateDiffSpec = z.infer<typeof stateDiffSpecSchema>;

/** The harness opens it itself, without the gate that keeps tool servers away from the disk. */
function isWebAddress(url: string): boolean {
  return /^https?:$/.test(URL.parse(url, 'http://start.test/')?.protocol ?? '');
}
