/** What an agent may and must do on its way: tools, order, counts, hosts, and the length of the path. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

/** A canonical action (`click`, on every server) or a tool of the server (`browser_click`). */
const name = z.string().min(1).max(100);
const names = z.array(name).min(1).max(50).optional();

const host = z
  .string()
  .max(300)
  .regex(/^(?:\*\.)?(?:[^\s/:*?#[\]@]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/, {
    error: 'must be a host without a scheme and a path: shop.example, *.shop.example or 127.0.0.1:8080',
  });

const count = z.int().min(0);
const range = z
  .strictObject({ min: count.optional(), max: count.optional() })
  .refine(({ min, max }) => (min === undefined ? max !== undefined : max === undefined || min <= max), {
    error: 'must have "min", "max" or both, and "min" must not be larger than "max"',
  });

const rules = {
  /** Must be used, in any order. */
  required: names,
  /** Must be used in this order; others may come between. */
  order: names,
  forbidden: names,
  /** Hosts that no tab may be on and no request may go to; `*.example.com` means all below it. */
  forbiddenHosts: z.array(host).min(1).max(50).optional(),
  /** How often a tool or an action may be used. */
  counts: z.record(name, range).optional(),
  maxSteps: count.optional(),
  /** Steps that were answered with an error. */
  maxErrors: count.optional(),
  /** Steps of the oracle divided by the agent's own: 1 is a path as short as the oracle's. An attempt that did not pass has 0. */
  minEfficiency: z.number().gt(0).max(1).optional(),
};
const RULES = Object.keys(rules) as (keyof typeof rules)[];

export const trajectorySpecSchema = z
  .strictObject({ grader: z.literal('trajectory'), name: graderNameSchema.optional(), ...rules })
  // A grader that has nothing to hold against an attempt would pass every one.
  .refine((spec) => RULES.some((rule) => spec[rule] !== undefined), {
    error: `has no rule; name at least one of ${RULES.join(', ')}`,
  })
  .refine(({ counts = {} }) => Object.keys(counts).length <= 50, {
    error: 'has more than 50 entries',
    path: ['counts'],
  });
export type TrajectorySpec = z.infer<typeof trajectorySpecSchema>;
