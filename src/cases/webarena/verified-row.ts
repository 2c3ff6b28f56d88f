/** A row of WebArena-Verified's dataset, as far as it is used here. */
import { z } from 'zod';

const text = z.string().max(10_000);
const names = z.array(text).max(100);

/** The part of JSON Schema that the dataset uses. */
export interface ResultSchema {
  type?: string | undefined;
  format?: string | undefined;
  items?: ResultSchema | undefined;
  properties?: Record<string, ResultSchema> | undefined;
}
const resultSchema: z.ZodType<ResultSchema> = z.lazy(() =>
  z.object({
    type: text.optional(),
    format: text.optional(),
    items: resultSchema.optional(),
    properties: z.record(z.string().max(500), resultSchema).optional(),
  }),
);

const responseEvaluator = z.object({
  evaluator: z.literal('AgentResponseEvaluator'),
  ordered: z.boolean().optional(),
  results_schema: resultSchema.optional(),
  expected: z.object({ task_type: text, status: text, retrieved_data: z.json().optional() }),
});

const networkEvaluator = z.object({
  evaluator: z.literal('NetworkEventEvaluator'),
  ignored_query_params: names.optional(),
  ignored_query_params_patterns: names.optional(),
  ignored_post_data_params_patterns: names.optional(),
  post_data_schema: resultSchema.optional(),
  query_params_schema: resultSchema.optional(),
  decode_base64_query: z.boolean().optional(),
  last_event_only: z.boolean().optional(),
  should_not_exist: z.boolean().optional(),
  expected: z.object({
    url: z.union([text, names.min(1)]),
    http_method: text.optional(),
    response_status: z.int().optional(),
    query_params: z.record(z.string(), z.union([text, names])).optional(),
    post_data: z.record(z.string(), z.json()).optional(),
    response_content: z.record(z.string(), z.json()).optional(),
    headers: z.record(z.string(), z.union([text, names])).optional(),
    response_cookies: z.record(z.string(), z.union([text, names])).optional(),
  }),
});

export const verifiedRowSchema = z.object({
  task_id: z.int().min(0),
  sites: z.array(text).max(10),
  start_urls: z.array(text.min(1)).min(1).max(10),
  intent: text.min(1),
  revision: z.int().optional(),
  eval: z
    .array(z.discriminatedUnion('evaluator', [responseEvaluator, networkEvaluator]))
    .min(1)
    .max(50),
});
export type VerifiedRow = z.infer<typeof verifiedRowSchema>;
export type ResponseEvaluator = z.infer<typeof responseEvaluator>;
export type NetworkEvaluator = z.infer<typeof networkEvaluator>;
