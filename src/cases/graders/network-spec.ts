/** Requests that the witness must have seen, or must not have seen. The rules are those of WebArena-Verified. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

const texts = z.union([z.string(), z.array(z.string()).min(1)]);

export const networkRuleSchema = z.strictObject({
  /** One address, or alternatives; `^…$` is a regular expression. */
  url: texts,
  method: z.string().default('GET'),
  status: z.int().min(100).max(599).default(200),
  query: z.record(z.string(), z.json()).optional(),
  /** By key; a key that begins with `$` is a JSONPath. */
  body: z.record(z.string(), z.json()).optional(),
  response: z.record(z.string(), z.json()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Of the response. */
  cookies: z.record(z.string(), z.string()).optional(),
  /** Only the last request to such an address counts. */
  lastEventOnly: z.boolean().default(true),
  shouldNotExist: z.boolean().default(false),
  /** Names of parameters that do not count; `^…$` is a regular expression. */
  ignoredQuery: z.array(z.string()).optional(),
  ignoredBody: z.array(z.string()).optional(),
});
export type NetworkRule = z.infer<typeof networkRuleSchema>;

export const networkSpecSchema = z.strictObject({
  grader: z.literal('network'),
  name: graderNameSchema.optional(),
  expect: z.array(networkRuleSchema).min(1).max(50),
});
export type NetworkSpec = z.infer<typeof networkSpecSchema>;
