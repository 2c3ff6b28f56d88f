/** What an agent may and must do on its way: tools, order, counts, hosts, and the length of the path. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

const names = z.array(z.string().min(1)).max(100);

export const trajectorySpecSchema = z.strictObject({
  grader: z.literal('trajectory'),
  name: graderNameSchema.optional(),
  /** Tools or canonical actions that must be used, in any order. */
  required: names.optional(),
  /** The same, in this order; others may come between. */
  order: names.optional(),
  forbidden: names.optional(),
  /** Hosts that no tab may be on and no request may go to; `*.example.com` means all below it. */
  forbiddenHosts: names.optional(),
  /** How often a tool or an action may be used. */
  counts: z
    .record(z.string(), z.strictObject({ min: z.int().min(0).optional(), max: z.int().min(0).optional() }))
    .optional(),
  maxSteps: z.int().min(0).optional(),
  maxErrors: z.int().min(0).optional(),
  /** Steps of the oracle divided by the agent's own: 1 is a path as short as the oracle's. */
  minEfficiency: z.number().min(0).max(1).optional(),
});
export type TrajectorySpec = z.infer<typeof trajectorySpecSchema>;
