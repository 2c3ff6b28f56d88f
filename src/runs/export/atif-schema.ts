/** ATIF 1.7 (harbor's RFC 0001) as it is written: every object refuses keys that it does not know, and own data stands in `extra`. */
import { z } from 'zod';

const extra = z.record(z.string(), z.unknown()).optional();
const tokens = z.int().min(0).optional();

const contentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      /** Relative to the document. */
      path: z.string().min(1),
    }),
  }),
]);
const content = z.union([z.string(), z.array(contentPart)]);

const metrics = z.strictObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  cached_tokens: tokens,
  cost_usd: z.number().min(0).optional(),
  extra,
});

const OF_AGENTS = ['model_name', 'tool_calls', 'metrics'] as const;

const step = z
  .strictObject({
    step_id: z.int().min(1),
    timestamp: z.iso.datetime().optional(),
    source: z.enum(['system', 'user', 'agent']),
    message: content,
    model_name: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          tool_call_id: z.string().min(1),
          function_name: z.string(),
          arguments: z.record(z.string(), z.unknown()),
          extra,
        }),
      )
      .optional(),
    observation: z
      .strictObject({
        results: z.array(z.strictObject({ source_call_id: z.string().optional(), content: content.optional(), extra })),
      })
      .optional(),
    metrics: metrics.optional(),
    extra,
  })
  .refine((one) => one.source === 'agent' || OF_AGENTS.every((name) => one[name] === undefined), {
    error: 'only steps of the agent have a model, calls and metrics',
  })
  .refine(
    ({ tool_calls = [], observation }) => {
      const ids = new Set(tool_calls.map(({ tool_call_id }) => tool_call_id));
      return (observation?.results ?? []).every(({ source_call_id: id }) => id === undefined || ids.has(id));
    },
    { error: 'a result belongs to a call of the same step' },
  );

export const atifDocumentSchema = z.strictObject({
  schema_version: z.literal('ATIF-v1.7'),
  session_id: z.string().optional(),
  trajectory_id: z.string().optional(),
  agent: z.strictObject({
    name: z.string().min(1),
    version: z.string(),
    model_name: z.string().optional(),
    extra,
  }),
  steps: z
    .array(step)
    .min(1)
    .refine((steps) => steps.every(({ step_id }, index) => step_id === index + 1), {
      error: 'steps are numbered 1, 2, 3, … without a gap',
    }),
  notes: z.string().optional(),
  final_metrics: z
    .strictObject({
      total_prompt_tokens: tokens,
      total_completion_tokens: tokens,
      total_cached_tokens: tokens,
      total_cost_usd: z.number().min(0).optional(),
      total_steps: z.int().min(0).optional(),
      extra,
    })
    .optional(),
  extra,
});
export type AtifDocument = z.infer<typeof atifDocumentSchema>;
export type AtifStep = AtifDocument['steps'][number];
